import {
  addMonths,
  dayMs,
  dayRange,
  daysInMonth,
  mondayOf,
  monthRange,
  type ReferenceTime,
  singleDayRange,
  type TimeRange,
  toEpochDay,
  toReferenceTime,
  weekdayOf,
  yearRange,
} from './calendar.ts';
import type { DateExpression, OccurrenceSelector, TimeUnit } from './date-expression.ts';
import { offsetFromDate, offsetFromNow, rollingRange } from './date-offset.ts';
import { dayPartRange, nthUnitWithin, periodPartRange } from './period-part.ts';

/** Resolves an expression to a time range relative to an instant; null if target is none. */
export function resolveDate(expression: DateExpression, now: ReferenceTime): TimeRange | null {
  const range = resolveRange(expression, now);
  return range && range.from < range.to ? range : null;
}

function resolveRange(expression: DateExpression, now: ReferenceTime): TimeRange | null {
  switch (expression.is) {
    case 'exact':
      return { from: expression.from, to: expression.to, grain: 'time' };
    case 'calendar':
      return onCalendar(expression, now);
    case 'weekday':
      return weekday(
        expression.weekday,
        expression.which,
        toReferenceTime(now.ms - 7 * dayMs * (expression.back ?? 0)),
      );
    case 'weekdayOf':
      return singleDayRange(mondayOf(now.day) + 7 * expression.by + expression.weekday);
    case 'season':
      return season(expression, now);
    case 'thanksgiving':
      return expression.year === null
        ? selectCandidate(expression.which, now, (by) => thanksgiving(now.year + by))
        : thanksgiving(expression.year);
    case 'decade':
      return decade(expression.year, now);
    case 'unit':
      return unit(expression.unit, expression.by, now);
    case 'weekend':
      return selectCandidate(expression.which, now, (by) => unit('weekend', by, now));
    case 'away':
      return offsetFromNow(expression.amounts, expression.sign, now);
    case 'rolling':
      return rollingRange(expression.amount, expression.sign, now);
    default:
      return fromBase(expression, now);
  }
}

type OnBase =
  | Extract<DateExpression, { readonly base: DateExpression }>
  | Extract<DateExpression, { readonly is: 'span' }>;

/** Resolves an expression that refers to another date. */
function fromBase(expression: OnBase, now: ReferenceTime): TimeRange | null {
  if (expression.is === 'span') return span(expression.first, expression.last, now);
  const base = resolveDate(expression.base, now);
  if (!base) return null;
  switch (expression.is) {
    case 'awayFrom':
      return offsetFromDate(expression.amounts, expression.sign, base);
    case 'beside':
      return beside(expression.what, expression.sign, base);
    case 'nth':
      return nthUnitWithin(expression.what, expression.nth, base);
    case 'around': {
      const monday = mondayOf(toReferenceTime(base.from).day);
      return expression.unit === 'week'
        ? dayRange(monday, monday + 7, 'week')
        : dayRange(monday + 5, monday + 7, 'day');
    }
    case 'part':
      return periodPartRange(expression.part, base);
    case 'dayPart':
      return dayPartRange(expression.part, base);
    case 'since':
      return { ...base, to: Math.max(base.to, (now.day + 1) * dayMs) };
  }
}

/** Maximum distance of candidates: 29 February needs 8. */
const maxCandidates = 9;

/** Selects one of the recurring ranges: candidate 0 is that of this year, month or week. */
function selectCandidate(
  which: OccurrenceSelector,
  now: ReferenceTime,
  candidate: (by: number) => TimeRange | null,
): TimeRange | null {
  if (which === 'this') return candidate(0);
  if (which === 'closest') return closest(now, candidate);
  const todayFrom = now.day * dayMs;
  const todayTo = todayFrom + dayMs;
  const back = which === 'near' || which === 'last';
  for (let i = 0; i <= maxCandidates; i += 1) {
    const found = candidate(back ? 1 - i : i - 1);
    if (!found) continue;
    if (which === 'near' && found.from < todayTo) return found;
    if (which === 'last' && found.to <= todayFrom) return found;
    if (which === 'ahead' && found.to > todayFrom) return found;
    if ((which === 'next' || which === 'coming') && found.from >= todayTo) return found;
  }
  return null;
}

/** The nearer one of the last and the next. */
function closest(
  now: ReferenceTime,
  candidate: (by: number) => TimeRange | null,
): TimeRange | null {
  const last = selectCandidate('near', now, candidate);
  const next = selectCandidate('ahead', now, candidate);
  if (!last || !next) return last ?? next;
  return now.ms - last.to < next.from - now.ms ? last : next;
}

function onCalendar(
  expression: Extract<DateExpression, { readonly is: 'calendar' }>,
  now: ReferenceTime,
): TimeRange | null {
  const { month, day, which } = expression;
  const year = expression.yearBy === null ? expression.year : now.year + expression.yearBy;
  if (month === null) {
    if (day === null) return year === null ? null : yearRange(year, 1, 'year');
    return dayOfMonth(day, expression.weekday, which, now);
  }
  if (year !== null) return date(year, month, day);
  return selectCandidate(which, now, (by) => date(now.year + by, month, day));
}

/** "The 13th", and "Friday the 13th" if one is near enough. */
function dayOfMonth(
  day: number,
  weekday: number | null,
  which: OccurrenceSelector,
  now: ReferenceTime,
): TimeRange | null {
  const inMonth = (by: number): TimeRange | null => {
    const target = toReferenceTime(toEpochDay(now.year, now.month + by, 1) * dayMs);
    return date(target.year, target.month, day);
  };
  const onWeekday = (by: number): TimeRange | null => {
    const found = inMonth(by);
    return found && weekdayOf(found.from / dayMs) === weekday ? found : null;
  };
  const both = weekday === null ? null : selectCandidate(which, now, onWeekday);
  return both ?? selectCandidate(which, now, inMonth);
}

function date(year: number, month: number, day: number | null): TimeRange | null {
  if (month < 1 || month > 12) return null;
  if (day === null) return monthRange(year, month, 1, 'month');
  return day >= 1 && day <= daysInMonth(year, month)
    ? singleDayRange(toEpochDay(year, month, day))
    : null;
}

function weekday(day: number, which: OccurrenceSelector, now: ReferenceTime): TimeRange | null {
  const monday = mondayOf(now.day);
  if (which === 'next') return singleDayRange(monday + 7 + day);
  // "This Friday" is the coming one, also on a Saturday.
  const selector = which === 'this' ? 'ahead' : which;
  return selectCandidate(selector, now, (by) => singleDayRange(monday + 7 * by + day));
}

function season(
  expression: Extract<DateExpression, { readonly is: 'season' }>,
  now: ReferenceTime,
): TimeRange | null {
  const { month, months, which } = expression;
  const inYear = (year: number): TimeRange => monthRange(year, month, months, 'season');
  if (expression.year !== null) return inYear(expression.year);
  if (expression.yearBy !== null) return inYear(now.year + expression.yearBy);
  // In January and February, this winter is the one that began last year.
  if (which === 'this') return inYear(now.year - (month === 12 && now.month < 3 ? 1 : 0));
  const then = toReferenceTime(addMonths(now.day, -12 * (expression.back ?? 0)) * dayMs);
  return selectCandidate(which, then, (by) => inYear(then.year + by));
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): TimeRange {
  const first = toEpochDay(year, 11, 1);
  return singleDayRange(first + ((3 - weekdayOf(first) + 7) % 7) + 21);
}

/** Two digits are in this century, or in the last one if this would be in the future. */
function decade(year: number, now: ReferenceTime): TimeRange {
  if (year >= 100) return yearRange(year, 10, 'decade');
  const inCentury = now.year - (now.year % 100) + year;
  return yearRange(inCentury > now.year ? inCentury - 100 : inCentury, 10, 'decade');
}

/** The calendar unit that contains now, or the one at offset `by`. */
function unit(name: TimeUnit, by: number, now: ReferenceTime): TimeRange | null {
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

/** The unit that ends at the start of another range, or starts at its end. */
function beside(what: TimeUnit | number, sign: 1 | -1, base: TimeRange): TimeRange | null {
  const first = Math.floor(base.from / dayMs);
  const after = Math.ceil(base.to / dayMs);
  if (typeof what === 'number' || what === 'weekend') {
    const day = typeof what === 'number' ? what : 5;
    const length = what === 'weekend' ? 2 : 1;
    const from =
      sign > 0 ? after + ((day - weekdayOf(after) + 7) % 7) : lastOn(day, first - length);
    return dayRange(from, from + length, 'day');
  }
  const lengths: Partial<Record<TimeUnit, (day: number) => number>> = {
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

/** The latest day with this weekday up to `day`. */
const lastOn = (weekday: number, day: number): number => day - ((weekdayOf(day) - weekday + 7) % 7);

/** From the start of one date to the end of another; a year applies to both. */
function span(first: DateExpression, last: DateExpression, now: ReferenceTime): TimeRange | null {
  let begin: TimeRange | null = null;
  let end: TimeRange | null = null;
  if (hasYear(first) && !hasYear(last)) {
    begin = resolveDate(first, now);
    end = begin && resolveDate(withAhead(last), toReferenceTime(begin.from));
  } else {
    end = resolveDate(last, now);
    // Relative to the end, the nearest past start is meant.
    const isOpen = !hasYear(first) && recurs(first);
    begin =
      end &&
      (isOpen ? resolveDate(withNear(first), toReferenceTime(end.from)) : resolveDate(first, now));
  }
  if (!begin || !end) return null;
  // Reversed ranges occur: "from 2021 back to 2019".
  const from = Math.min(begin.from, end.from);
  return { from, to: Math.max(begin.to, end.to), grain: begin.grain };
}

const recurs = ({ is }: DateExpression): boolean =>
  is === 'calendar' || is === 'season' || is === 'weekday';

const hasYear = (expression: DateExpression): boolean =>
  (expression.is === 'calendar' || expression.is === 'season') &&
  (expression.year !== null || expression.yearBy !== null);

/** The start must be before the end, regardless of the tense. */
const withNear = (expression: DateExpression): DateExpression =>
  expression.is === 'calendar' || expression.is === 'season'
    ? { ...expression, which: 'near' }
    : expression;

const withAhead = (expression: DateExpression): DateExpression =>
  'which' in expression ? { ...expression, which: 'ahead' } : expression;
