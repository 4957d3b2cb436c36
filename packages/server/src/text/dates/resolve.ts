import {
  addMonths,
  dayMs,
  dayNumber,
  dayRange,
  daysInMonth,
  mondayOf,
  monthRange,
  type ReferenceTime,
  singleDayRange,
  type TimeRange,
  toReferenceTime,
  weekdayOf,
  yearRange,
} from './calendar.ts';
import type { DateExpression, OccurrenceSelector, Unit } from './date-expression.ts';
import { offsetFromDate, offsetFromNow, rollingRange } from './date-offset.ts';
import { dayPartRange, nthWithin, periodPartRange } from './period-part.ts';

/** The stretch of time that is meant, seen from an instant; null when there is none such. */
export function resolveDate(said: DateExpression, now: ReferenceTime): TimeRange | null {
  const stretch = resolveRange(said, now);
  return stretch && stretch.from < stretch.to ? stretch : null;
}

function resolveRange(said: DateExpression, now: ReferenceTime): TimeRange | null {
  switch (said.is) {
    case 'exact':
      return { from: said.from, to: said.to, grain: 'time' };
    case 'calendar':
      return onCalendar(said, now);
    case 'weekday':
      return weekday(
        said.weekday,
        said.which,
        toReferenceTime(now.ms - 7 * dayMs * (said.back ?? 0)),
      );
    case 'weekdayOf':
      return singleDayRange(mondayOf(now.day) + 7 * said.by + said.weekday);
    case 'season':
      return season(said, now);
    case 'thanksgiving':
      return said.year === null
        ? pick(said.which, now, (by) => thanksgiving(now.year + by))
        : thanksgiving(said.year);
    case 'decade':
      return decade(said.year, now);
    case 'unit':
      return unit(said.unit, said.by, now);
    case 'weekend':
      return pick(said.which, now, (by) => unit('weekend', by, now));
    case 'away':
      return offsetFromNow(said.amounts, said.sign, now);
    case 'rolling':
      return rollingRange(said.amount, said.sign, now);
    default:
      return fromBase(said, now);
  }
}

type OnBase =
  | Extract<DateExpression, { readonly base: DateExpression }>
  | Extract<DateExpression, { readonly is: 'span' }>;

/** What is said of another date. */
function fromBase(said: OnBase, now: ReferenceTime): TimeRange | null {
  if (said.is === 'span') return span(said.first, said.last, now);
  const base = resolveDate(said.base, now);
  if (!base) return null;
  switch (said.is) {
    case 'awayFrom':
      return offsetFromDate(said.amounts, said.sign, base);
    case 'beside':
      return beside(said.what, said.sign, base);
    case 'nth':
      return nthWithin(said.what, said.nth, base);
    case 'around': {
      const monday = mondayOf(toReferenceTime(base.from).day);
      return said.unit === 'week'
        ? dayRange(monday, monday + 7, 'week')
        : dayRange(monday + 5, monday + 7, 'day');
    }
    case 'part':
      return periodPartRange(said.part, base);
    case 'dayPart':
      return dayPartRange(said.part, base);
    case 'since':
      return { ...base, to: Math.max(base.to, (now.day + 1) * dayMs) };
  }
}

/** Candidates further away than this many of their kind are not looked for: 29 February needs 8. */
const reach = 9;

/** One of the stretches that come again: the candidate 0 is the one of this year, month or week. */
function pick(
  which: OccurrenceSelector,
  now: ReferenceTime,
  candidate: (by: number) => TimeRange | null,
): TimeRange | null {
  if (which === 'this') return candidate(0);
  if (which === 'closest') return closest(now, candidate);
  const todayFrom = now.day * dayMs;
  const todayTo = todayFrom + dayMs;
  const back = which === 'near' || which === 'last';
  for (let i = 0; i <= reach; i += 1) {
    const found = candidate(back ? 1 - i : i - 1);
    if (!found) continue;
    if (which === 'near' && found.from < todayTo) return found;
    if (which === 'last' && found.to <= todayFrom) return found;
    if (which === 'ahead' && found.to > todayFrom) return found;
    if ((which === 'next' || which === 'coming') && found.from >= todayTo) return found;
  }
  return null;
}

/** Of the last and the next, the one that is fewer days away. */
function closest(
  now: ReferenceTime,
  candidate: (by: number) => TimeRange | null,
): TimeRange | null {
  const last = pick('near', now, candidate);
  const next = pick('ahead', now, candidate);
  if (!last || !next) return last ?? next;
  return now.ms - last.to < next.from - now.ms ? last : next;
}

function onCalendar(
  said: Extract<DateExpression, { readonly is: 'calendar' }>,
  now: ReferenceTime,
): TimeRange | null {
  const { month, day, which } = said;
  const year = said.yearBy === null ? said.year : now.year + said.yearBy;
  if (month === null) {
    if (day === null) return year === null ? null : yearRange(year, 1, 'year');
    return dayOfMonth(day, said.weekday, which, now);
  }
  if (year !== null) return date(year, month, day);
  return pick(which, now, (by) => date(now.year + by, month, day));
}

/** "The 13th", and "Friday the 13th" where one is within reach. */
function dayOfMonth(
  day: number,
  weekday: number | null,
  which: OccurrenceSelector,
  now: ReferenceTime,
): TimeRange | null {
  const inMonth = (by: number): TimeRange | null => {
    const there = toReferenceTime(dayNumber(now.year, now.month + by, 1) * dayMs);
    return date(there.year, there.month, day);
  };
  const onWeekday = (by: number): TimeRange | null => {
    const found = inMonth(by);
    return found && weekdayOf(found.from / dayMs) === weekday ? found : null;
  };
  const both = weekday === null ? null : pick(which, now, onWeekday);
  return both ?? pick(which, now, inMonth);
}

function date(year: number, month: number, day: number | null): TimeRange | null {
  if (month < 1 || month > 12) return null;
  if (day === null) return monthRange(year, month, 1, 'month');
  return day >= 1 && day <= daysInMonth(year, month)
    ? singleDayRange(dayNumber(year, month, day))
    : null;
}

function weekday(day: number, which: OccurrenceSelector, now: ReferenceTime): TimeRange | null {
  const monday = mondayOf(now.day);
  if (which === 'next') return singleDayRange(monday + 7 + day);
  // "This Friday" is the coming one, on a Saturday too.
  const asked = which === 'this' ? 'ahead' : which;
  return pick(asked, now, (by) => singleDayRange(monday + 7 * by + day));
}

function season(
  said: Extract<DateExpression, { readonly is: 'season' }>,
  now: ReferenceTime,
): TimeRange | null {
  const { month, months, which } = said;
  const inYear = (year: number): TimeRange => monthRange(year, month, months, 'season');
  if (said.year !== null) return inYear(said.year);
  if (said.yearBy !== null) return inYear(now.year + said.yearBy);
  // In January and February, this winter is the one that began in the year before.
  if (which === 'this') return inYear(now.year - (month === 12 && now.month < 3 ? 1 : 0));
  const then = toReferenceTime(addMonths(now.day, -12 * (said.back ?? 0)) * dayMs);
  return pick(which, then, (by) => inYear(then.year + by));
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): TimeRange {
  const first = dayNumber(year, 11, 1);
  return singleDayRange(first + ((3 - weekdayOf(first) + 7) % 7) + 21);
}

/** Two digits are of this century, or of the last one when they would lie ahead. */
function decade(year: number, now: ReferenceTime): TimeRange {
  if (year >= 100) return yearRange(year, 10, 'decade');
  const inCentury = now.year - (now.year % 100) + year;
  return yearRange(inCentury > now.year ? inCentury - 100 : inCentury, 10, 'decade');
}

/** The unit of the calendar that holds now, or one so many before or after it. */
function unit(name: Unit, by: number, now: ReferenceTime): TimeRange | null {
  const monday = mondayOf(now.day);
  switch (name) {
    case 'day':
      return singleDayRange(now.day + by);
    case 'weekend':
      return dayRange(monday + 7 * by + 5, monday + 7 * by + 7, 'day');
    case 'week':
      return dayRange(monday + 7 * by, monday + 7 * by + 7, 'week');
    case 'month':
      return monthRange(now.year, now.month + by, 1, 'month');
    case 'quarter':
      return monthRange(now.year, now.month - ((now.month - 1) % 3) + 3 * by, 3, 'season');
    case 'year':
      return yearRange(now.year + by, 1, 'year');
    case 'decade':
      return yearRange(now.year - (now.year % 10) + 10 * by, 10, 'decade');
    default:
      return null;
  }
}

/** The whole unit that ends where another stretch begins, or begins where it ends. */
function beside(what: Unit | number, sign: 1 | -1, base: TimeRange): TimeRange | null {
  const first = Math.floor(base.from / dayMs);
  const after = Math.ceil(base.to / dayMs);
  if (typeof what === 'number' || what === 'weekend') {
    const day = typeof what === 'number' ? what : 5;
    const length = what === 'weekend' ? 2 : 1;
    const from =
      sign > 0 ? after + ((day - weekdayOf(after) + 7) % 7) : lastOn(day, first - length);
    return dayRange(from, from + length, 'day');
  }
  const lengths: Partial<Record<Unit, (day: number) => number>> = {
    day: (day) => day + sign,
    week: (day) => day + 7 * sign,
    fortnight: (day) => day + 14 * sign,
    month: (day) => addMonths(day, sign),
    quarter: (day) => addMonths(day, 3 * sign),
    year: (day) => addMonths(day, 12 * sign),
    decade: (day) => addMonths(day, 120 * sign),
  };
  const other = lengths[what]?.(sign > 0 ? after : first);
  if (other === undefined) return null;
  const grain = what === 'quarter' ? 'season' : what === 'fortnight' ? 'week' : what;
  if (grain === 'second' || grain === 'minute' || grain === 'hour') return null;
  return sign > 0 ? dayRange(after, other, grain) : dayRange(other, first, grain);
}

/** The latest day with this weekday that is not after `day`. */
const lastOn = (weekday: number, day: number): number => day - ((weekdayOf(day) - weekday + 7) % 7);

/** From the begin of one date to the end of another; a year said of one holds for both. */
function span(first: DateExpression, last: DateExpression, now: ReferenceTime): TimeRange | null {
  let begin: TimeRange | null = null;
  let end: TimeRange | null = null;
  if (hasYear(first) && !hasYear(last)) {
    begin = resolveDate(first, now);
    end = begin && resolveDate(ahead(last), toReferenceTime(begin.from));
  } else {
    end = resolveDate(last, now);
    // Seen from the other end, the nearest past one is the one that is meant.
    const isOpen = !hasYear(first) && recurs(first);
    begin =
      end &&
      (isOpen ? resolveDate(behind(first), toReferenceTime(end.from)) : resolveDate(first, now));
  }
  if (!begin || !end) return null;
  // People count backwards, too: "from 2021 back to 2019".
  const from = Math.min(begin.from, end.from);
  return { from, to: Math.max(begin.to, end.to), grain: begin.grain };
}

const recurs = ({ is }: DateExpression): boolean =>
  is === 'calendar' || is === 'season' || is === 'weekday';

const hasYear = (said: DateExpression): boolean =>
  (said.is === 'calendar' || said.is === 'season') && (said.year !== null || said.yearBy !== null);

/** A day of another year's end is still before it, whatever the sentence speaks of. */
const behind = (said: DateExpression): DateExpression =>
  said.is === 'calendar' || said.is === 'season' ? { ...said, which: 'near' } : said;

const ahead = (said: DateExpression): DateExpression =>
  'which' in said ? { ...said, which: 'ahead' } : said;
