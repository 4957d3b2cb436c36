/**
 * Days are integers counted from 1 January 1970, months are 1–12, and weekdays start at 0 = Monday.
 */

export type Grain = 'time' | 'day' | 'week' | 'month' | 'season' | 'year' | 'decade';

/** A half-open range in UTC, in epoch ms. The grain is the precision of the words. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
}

/** The instant to which relative dates refer. */
export interface ReferenceTime {
  readonly ms: number;
  readonly day: number;
  readonly year: number;
  readonly month: number;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The calendar repeats after 400 years. Date.UTC maps the years 0 to 99 to 1900 to 1999. */
const shiftYears = 4_000;
const shiftDays = (shiftYears / 400) * 146_097;

/** Months beyond 1–12 and days beyond the month overflow into the next ones. */
export const toEpochDay = (year: number, month: number, day: number): number =>
  Date.UTC(year + shiftYears, month - 1, day) / dayMs - shiftDays;

export function toReferenceTime(ms: number): ReferenceTime {
  const date = new Date(ms);
  return {
    ms,
    day: Math.floor(ms / dayMs),
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
  };
}

export const daysInMonth = (year: number, month: number): number =>
  toEpochDay(year, month + 1, 1) - toEpochDay(year, month, 1);

/** 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Weeks begin on Monday, as in ISO 8601. */
export const mondayOf = (day: number): number => day - weekdayOf(day);

export const dayRange = (from: number, to: number, grain: Grain): TimeRange => ({
  from: from * dayMs,
  to: to * dayMs,
  grain,
});

export const singleDayRange = (day: number): TimeRange => dayRange(day, day + 1, 'day');

/** `count` full months from the first of a month. */
export const monthRange = (year: number, month: number, count: number, grain: Grain): TimeRange =>
  dayRange(toEpochDay(year, month, 1), toEpochDay(year, month + count, 1), grain);

export const yearRange = (year: number, count: number, grain: Grain): TimeRange =>
  monthRange(year, 1, 12 * count, grain);

/** The same day of the month `count` months later, or the last day of that month. */
export function addMonths(day: number, count: number): number {
  const { year, month } = toReferenceTime(day * dayMs);
  const first = toEpochDay(year, month + count, 1);
  const target = toReferenceTime(first * dayMs);
  return (
    first + Math.min(day - toEpochDay(year, month, 1), daysInMonth(target.year, target.month) - 1)
  );
}
