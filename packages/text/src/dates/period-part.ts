import {
  dayMs,
  dayRange,
  hourMs,
  monthRange,
  singleDayRange,
  type TimeRange,
  toEpochDay,
  toReferenceTime,
  weekdayOf,
} from './calendar.ts';
import type { DayPart, PeriodPosition, TimeUnit } from './date-expression.ts';

const thirds: Record<PeriodPosition, number> = { early: 0, mid: 1, late: 2 };

const decadeYears: Record<PeriodPosition, readonly [number, number]> = {
  early: [0, 4],
  mid: [4, 7],
  late: [7, 10],
};

/** Early, mid or late third of a range, in whole days of a month and whole months of a year. */
export function periodPartRange(name: PeriodPosition, base: TimeRange): TimeRange | null {
  const third = thirds[name];
  const [first, after] = [base.from / dayMs, base.to / dayMs];
  if (!Number.isInteger(first) || after - first < 3) return null;
  const { year, month } = toReferenceTime(base.from);
  if (base.grain === 'month') {
    return dayRange(first + 10 * third, third === 2 ? after : first + 10 * third + 10, 'month');
  }
  if (base.grain === 'year' || base.grain === 'season') {
    const end = toReferenceTime(base.to);
    const months = (end.year - year) * 12 + end.month - month;
    const from = month + Math.floor((months * third) / 3);
    const to = month + Math.floor((months * (third + 1)) / 3);
    return monthRange(year, from, to - from, base.grain);
  }
  if (base.grain === 'decade' && after - first > 3_650) {
    const [from, to] = decadeYears[name];
    return monthRange(year + from, 1, 12 * (to - from), 'decade');
  }
  const cut = (thirdsBefore: number): number =>
    first + Math.round(((after - first) * thirdsBefore) / 3);
  return dayRange(cut(third), cut(third + 1), base.grain);
}

/** Hours of each part of the day; the night extends into the next morning. */
const hours: Record<DayPart, readonly [number, number]> = {
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [17, 24],
  night: [18, 30],
};

export function dayPartRange(name: DayPart, base: TimeRange): TimeRange {
  if (base.to - base.from !== dayMs) return base;
  const [from, to] = hours[name];
  return { from: base.from + from * hourMs, to: base.from + to * hourMs, grain: 'time' };
}

/** The nth unit or weekday within a longer range; −1 is the last. Null if it does not exist. */
export function nthUnitWithin(
  what: TimeUnit | 'half' | number,
  count: number,
  base: TimeRange,
): TimeRange | null {
  const [first, after] = [base.from / dayMs, base.to / dayMs];
  if (!Number.isInteger(first) || !Number.isInteger(after)) return null;
  const found = nthOf(what, count, first, after);
  return found && found.from >= base.from && found.to <= base.to ? found : null;
}

function nthOf(
  what: TimeUnit | 'half' | number,
  count: number,
  first: number,
  after: number,
): TimeRange | null {
  if (typeof what === 'number') return nthWeekday(what, count, first, after);
  const last = count < 0;
  if (what === 'half') return half(last ? 2 : count, first, after);
  if (what === 'day') return singleDayRange(last ? after - 1 : first + count - 1);
  if (what === 'week') {
    const from = last ? after - 7 : first + 7 * (count - 1);
    return dayRange(from, from + 7, 'week');
  }
  if (what === 'weekend') {
    const saturday = nthWeekday(5, count, first, after);
    return saturday && { ...saturday, to: saturday.to + dayMs };
  }
  const months = what === 'month' ? 1 : what === 'quarter' ? 3 : 0;
  if (months === 0) return null;
  const { year, month } = last ? toReferenceTime(after * dayMs) : toReferenceTime(first * dayMs);
  const from = last ? month - months : month + months * (count - 1);
  return monthRange(year, from, months, what === 'month' ? 'month' : 'season');
}

function nthWeekday(
  weekday: number,
  count: number,
  first: number,
  after: number,
): TimeRange | null {
  if (count < 0) return singleDayRange(after - 1 - ((weekdayOf(after - 1) - weekday + 7) % 7));
  return singleDayRange(first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1));
}

/** Half of a year by months; half of any other range by days. */
function half(count: number, first: number, after: number): TimeRange | null {
  if (count > 2) return null;
  const { year, month } = toReferenceTime(first * dayMs);
  const isYear = month === 1 && after === toEpochDay(year + 1, 1, 1);
  if (isYear) return monthRange(year, count === 1 ? 1 : 7, 6, 'season');
  const middle = first + Math.ceil((after - first) / 2);
  const grain = after - first > 62 ? 'season' : 'week';
  return count === 1 ? dayRange(first, middle, grain) : dayRange(middle, after, grain);
}
