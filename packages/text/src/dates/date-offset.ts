import {
  addMonths,
  dayMs,
  dayRange,
  type Grain,
  hourMs,
  mondayOf,
  monthRange,
  type ReferenceTime,
  singleDayRange,
  type TimeRange,
  toReferenceTime,
  yearRange,
} from './calendar.ts';
import type { TimeAmount, TimeUnit } from './date-expression.ts';

const timeMs: Partial<Record<TimeUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: hourMs,
};

const weekDays: Partial<Record<TimeUnit, number>> = { week: 7, fortnight: 14, weekend: 7 };
const unitMonths: Partial<Record<TimeUnit, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
};

/** Larger offsets are implausible and exceed the range of dates. */
const yearsMax = 3_000;

/**
 * An offset from now with the precision that people use: days are exact, a week is three days
 * around it, a month or year is that calendar unit, a decade is two years around it. The last of
 * several amounts determines the precision.
 */
export function offsetFromNow(
  amounts: readonly TimeAmount[],
  sign: 1 | -1,
  now: ReferenceTime,
): TimeRange | null {
  const last = amounts.at(-1);
  if (!last || amounts.some((amount) => isFar(amount))) return null;
  let from = now;
  for (const { unit, low } of amounts.slice(0, -1)) {
    const day = move(from.day, unit, sign * low);
    if (day === null) return null;
    from = toReferenceTime(day * dayMs);
  }
  const near = around(last.unit, sign * last.low, from);
  const far = around(last.unit, sign * last.high, from);
  if (!near || !far) return null;
  return {
    from: Math.min(near.from, far.from),
    to: Math.max(near.to, far.to),
    grain: near.grain,
  };
}

/** An offset from another date; whole weeks from a day result in a day. */
export function offsetFromDate(
  amounts: readonly TimeAmount[],
  sign: 1 | -1,
  base: TimeRange,
): TimeRange | null {
  const [amount] = amounts;
  const days = amount && weekDays[amount.unit];
  const exact = amounts.length === 1 && amount?.low === amount?.high && base.grain === 'day';
  if (exact && days && amount.unit !== 'weekend' && base.to - base.from === dayMs) {
    return around('day', sign * days * amount.low, toReferenceTime(base.from));
  }
  return offsetFromNow(amounts, sign, toReferenceTime(sign < 0 ? base.from : base.to - 1));
}

const isFar = ({ unit, high }: TimeAmount): boolean =>
  (high * (unitMonths[unit] ?? 0)) / 12 > yearsMax || high > 365 * yearsMax;

function move(day: number, unit: TimeUnit, count: number): number | null {
  const months = unitMonths[unit];
  if (months !== undefined) return addMonths(day, Math.round(months * count));
  if (unit === 'day') return day + Math.round(count);
  const days = weekDays[unit];
  return days === undefined ? null : day + Math.round(days * count);
}

function around(unit: TimeUnit, count: number, now: ReferenceTime): TimeRange | null {
  const { day, year, month } = now;
  switch (unit) {
    case 'day':
      return singleDayRange(day + Math.round(count));
    case 'week':
    case 'fortnight': {
      const target = day + Math.round((weekDays[unit] ?? 7) * count);
      return dayRange(target - 3, target + 4, 'week');
    }
    case 'weekend': {
      const saturday = mondayOf(day) + 5 + 7 * Math.round(count);
      return dayRange(saturday, saturday + 2, 'day');
    }
    case 'month':
    case 'quarter': {
      const months = Math.round((unitMonths[unit] ?? 1) * count);
      return monthRange(year, month + months, 1, 'month');
    }
    case 'year':
      if (Number.isInteger(count)) return yearRange(year + count, 1, 'year');
      return monthRange(year, month + Math.round(12 * count) - 1, 3, 'year');
    case 'decade':
      return yearRange(year + Math.round(10 * count) - 2, 5, 'decade');
    default: {
      const ms = timeMs[unit] ?? hourMs;
      const target = now.ms + count * ms;
      return { from: Math.floor(target - ms / 2), to: Math.ceil(target + ms / 2), grain: 'time' };
    }
  }
}

const grains: Record<TimeUnit, Grain> = {
  second: 'time',
  minute: 'time',
  hour: 'time',
  day: 'day',
  weekend: 'week',
  week: 'week',
  fortnight: 'week',
  month: 'month',
  quarter: 'season',
  year: 'year',
  decade: 'decade',
};

/** A range of this length before or after now, including today. */
export function rollingRange(
  amount: TimeAmount,
  sign: 1 | -1,
  now: ReferenceTime,
): TimeRange | null {
  if (isFar(amount)) return null;
  const { unit, high } = amount;
  const grain = grains[unit];
  const ms = timeMs[unit];
  if (ms !== undefined) {
    const target = now.ms + sign * high * ms;
    return { from: Math.min(target, now.ms), to: Math.max(target, now.ms), grain };
  }
  const day = move(now.day, unit, sign * high);
  if (day === null) return null;
  return sign < 0 ? dayRange(day, now.day + 1, grain) : dayRange(now.day, day + 1, grain);
}
