import { daysInMonth, toEpochDay } from './calendar.ts';
import { calendarDate, type DateExpression } from './date-expression.ts';
import type { Token } from './tokens.ts';

const isoDate = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/;
const isoMonth = /^(\d{4})[/-](\d\d)$/;
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const slashed = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)$/;
const years = /^(\d{4})[–—-](\d{4})$/;
const ordinalSuffixes = ['st', 'nd', 'rd', 'th'];

/** A run of digits that is a complete date, or two dates joined by a dash or slash. */
export function parseNumericDate({ text, suffix }: Token): DateExpression | null {
  if (suffix !== '') return null;
  if (text.length <= 4) return null;
  return oneDate(text) ?? twoDates(text);
}

function oneDate(text: string): DateExpression | null {
  const iso = isoDate.exec(text);
  if (iso) return onDay(Number(iso[1]), Number(iso[3]), Number(iso[4]));
  const month = isoMonth.exec(text);
  if (month) return onMonth(Number(month[1]), Number(month[2]));
  const dots = dotted.exec(text);
  // With dots the day is first, with slashes the month, unless that is impossible.
  if (dots) return onEither(Number(dots[3]), Number(dots[2]), Number(dots[1]));
  const slashes = slashed.exec(text);
  if (!slashes) return null;
  const [, one, mark, two, year = ''] = slashes;
  // A two-digit year is accepted only after slashes: 10-12-14 is something else.
  if (year.length === 2 && mark === '-') return null;
  return onEither(fullYear(year), Number(one), Number(two));
}

function twoDates(text: string): DateExpression | null {
  const between = years.exec(text);
  if (between) {
    const [first, last] = [Number(between[1]), Number(between[2])];
    if (!isContemporaryYear(first) || !isContemporaryYear(last) || first >= last) return null;
    return spanOf(calendarDate({ year: first }), calendarDate({ year: last }));
  }
  // Both dates have the same length, and the separator in the middle differs from theirs.
  const middle = text.length >> 1;
  const mark = text[middle];
  if (text.length % 2 === 0 || !mark || !'–—/-'.includes(mark)) return null;
  const [first, last] = [oneDate(text.slice(0, middle)), oneDate(text.slice(middle + 1))];
  return first && last && spanOf(first, last);
}

const spanOf = (first: DateExpression, last: DateExpression): DateExpression => ({
  is: 'span',
  first,
  last,
});

/** Years that are recognizable by the number alone. */
export const isContemporaryYear = (year: number): boolean => year >= 1900 && year <= 2099;

const isYear = (year: number): boolean => year >= 1000 && year <= 2999;

function onDay(year: number, month: number, day: number): DateExpression | null {
  if (!isYear(year) || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return null;
  return calendarDate({ year, month, day });
}

function onMonth(year: number, month: number): DateExpression | null {
  return isContemporaryYear(year) && month >= 1 && month <= 12
    ? calendarDate({ year, month })
    : null;
}

const onEither = (year: number, month: number, day: number): DateExpression | null =>
  onDay(year, month, day) ?? onDay(year, day, month);

const fullYear = (digits: string): number => {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
};

const isoStamp =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;
const eastStamp = /^(?:(\d{4})\D+)?(?:(\d{1,2})\s?[月월]\s?)?(?:(\d{1,2})\D)?$/;

/** A date with a time of day, or a date in Chinese, Japanese or Korean characters. */
export function parseTimestamp(text: string): DateExpression | null {
  const iso = isoStamp.exec(text);
  if (iso) return instant(iso);
  const [, year, month, day] = eastStamp.exec(text) ?? [];
  if (month === undefined) {
    return year !== undefined && isYear(Number(year)) ? calendarDate({ year: Number(year) }) : null;
  }
  if (year === undefined) return calendarDate({ month: Number(month), day: Number(day) });
  if (day === undefined) return onMonth(Number(year), Number(month));
  return onDay(Number(year), Number(month), Number(day));
}

/** Lasts as long as its smallest unit, a minute or a second; UTC without an offset. */
function instant(match: RegExpExecArray): DateExpression | null {
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || !onDay(year, month, day)) return null;
  const second = Number(match[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const minutes = (toEpochDay(year, month, day) * 24 + hour) * 60 + minute - offset(match[7]);
  const from = (minutes * 60 + second) * 1_000;
  return { is: 'exact', from, to: from + (match[6] === undefined ? 60_000 : 1_000) };
}

function offset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** A day of the month: 7 or 7th. */
export function parseDayOfMonth({ kind, text, suffix }: Token): number | null {
  if (kind !== 'number' || text.length > 2) return null;
  if (suffix !== '' && !ordinalSuffixes.includes(suffix)) return null;
  const day = Number(text);
  return day >= 1 && day <= 31 ? day : null;
}

/** A day range: 3-7 or 3–7. */
export function parseDayRange({ kind, text, suffix }: Token): readonly [number, number] | null {
  if (kind !== 'number' || (suffix !== '' && !ordinalSuffixes.includes(suffix))) return null;
  const match = /^(\d{1,2})[–—-](\d{1,2})$/.exec(text);
  if (!match) return null;
  const [first, last] = [Number(match[1]), Number(match[2])];
  return first >= 1 && last <= 31 && first < last ? [first, last] : null;
}

/** An ordinal number in digits. */
export function parseOrdinalNumber({ kind, text, suffix }: Token): number | null {
  return kind === 'number' && text.length <= 2 && ordinalSuffixes.includes(suffix)
    ? Number(text)
    : null;
}

/** A four-digit year next to a month or another word that marks it as a year. */
export function parseYear({ kind, text, suffix }: Token): number | null {
  if (kind !== 'number' || text.length !== 4 || suffix !== '') return null;
  const year = Number(text);
  return year >= 1500 && year <= 2199 ? year : null;
}
