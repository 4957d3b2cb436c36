/**
 * The day of a time, in the time zone of the reader. What a text states of a day is stored as
 * midnight in UTC, and is the same day everywhere.
 */
export function formatDay(
  value: string,
  { locale, timeZone }: { readonly locale?: string; readonly timeZone?: string } = {},
): string {
  const date = new Date(value);
  const isWholeDay = date.getTime() % 86_400_000 === 0;
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeZone: isWholeDay ? 'UTC' : timeZone,
  });
  return format.format(date);
}
