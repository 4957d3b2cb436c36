import { systemNowMs } from '../kernel.ts';
import { formatDay } from './format-day.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `5 min. ago`, `in 2 wk.`; `now` within a minute. */
function formatRelativeTime(date: Date, nowMs: number): string {
  const seconds = Math.round((date.getTime() - nowMs) / 1_000);
  const found = units.find(([, length]) => Math.abs(seconds) >= length);
  if (found === undefined) return 'now';
  const [unit, length] = found;
  return relative.format(Math.trunc(seconds / length), unit);
}

interface TimeProps {
  readonly value: string;
  readonly isRelative?: boolean;
  /** A shorter form, such as the day alone. */
  readonly text?: string;
}

/** In the time zone of the reader; in UTC on hover. */
export function Time({ value, isRelative, text }: TimeProps) {
  const date = new Date(value);
  const local = absolute.format(date);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const shown = text ?? (isRelative ? formatRelativeTime(date, systemNowMs()) : local);
  return (
    <time dateTime={value} title={shown === local ? utc : `${local}\n${utc}`}>
      {shown}
    </time>
  );
}

/** The day alone, as for facts. */
export const Day = ({ value }: { readonly value: string }) => (
  <Time value={value} text={formatDay(value)} />
);
