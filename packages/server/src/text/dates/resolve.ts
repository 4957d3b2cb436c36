import {
  addMonths,
  dayMs,
  dayNumber,
  daysIn,
  mondayOf,
  type Now,
  nowAt,
  ofDays,
  ofMonths,
  ofYears,
  oneDay,
  type Stretch,
  weekdayOf,
} from './calendar.ts';
import { away, awayFrom, rolling } from './distance.ts';
import { dayPart, nth, part } from './part.ts';
import type { Said, Unit, Which } from './said.ts';

/** The stretch of time that is meant, seen from an instant; null when there is none such. */
export function resolve(said: Said, now: Now): Stretch | null {
  const stretch = stretchOf(said, now);
  return stretch && stretch.from < stretch.to ? stretch : null;
}

function stretchOf(said: Said, now: Now): Stretch | null {
  switch (said.is) {
    case 'exact':
      return { from: said.from, to: said.to, grain: 'time' };
    case 'calendar':
      return onCalendar(said, now);
    case 'weekday':
      return weekday(said.weekday, said.which, nowAt(now.ms - 7 * dayMs * (said.back ?? 0)));
    case 'weekdayOf':
      return oneDay(mondayOf(now.day) + 7 * said.by + said.weekday);
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
      return away(said.amounts, said.sign, now);
    case 'rolling':
      return rolling(said.amount, said.sign, now);
    default:
      return fromBase(said, now);
  }
}

type OnBase = Extract<Said, { readonly base: Said }> | Extract<Said, { readonly is: 'span' }>;

/** What is said of another date. */
function fromBase(said: OnBase, now: Now): Stretch | null {
  if (said.is === 'span') return span(said.first, said.last, now);
  const base = resolve(said.base, now);
  if (!base) return null;
  switch (said.is) {
    case 'awayFrom':
      return awayFrom(said.amounts, said.sign, base);
    case 'beside':
      return beside(said.what, said.sign, base);
    case 'nth':
      return nth(said.what, said.nth, base);
    case 'around': {
      const monday = mondayOf(nowAt(base.from).day);
      return said.unit === 'week'
        ? ofDays(monday, monday + 7, 'week')
        : ofDays(monday + 5, monday + 7, 'day');
    }
    case 'part':
      return part(said.part, base);
    case 'dayPart':
      return dayPart(said.part, base);
    case 'since':
      return { ...base, to: Math.max(base.to, (now.day + 1) * dayMs) };
  }
}

/** Candidates further away than this many of their kind are not looked for: 29 February needs 8. */
const reach = 9;

/** One of the stretches that come again: the candidate 0 is the one of this year, month or week. */
function pick(which: Which, now: Now, candidate: (by: number) => Stretch | null): Stretch | null {
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
function closest(now: Now, candidate: (by: number) => Stretch | null): Stretch | null {
  const last = pick('near', now, candidate);
  const next = pick('ahead', now, candidate);
  if (!last || !next) return last ?? next;
  return now.ms - last.to < next.from - now.ms ? last : next;
}

function onCalendar(said: Extract<Said, { readonly is: 'calendar' }>, now: Now): Stretch | null {
  const { month, day, which } = said;
  const year = said.yearBy === null ? said.year : now.year + said.yearBy;
  if (month === null) {
    if (day === null) return year === null ? null : ofYears(year, 1, 'year');
    return dayOfMonth(day, said.weekday, which, now);
  }
  if (year !== null) return date(year, month, day);
  return pick(which, now, (by) => date(now.year + by, month, day));
}

/** "The 13th", and "Friday the 13th" where one is within reach. */
function dayOfMonth(day: number, weekday: number | null, which: Which, now: Now): Stretch | null {
  const inMonth = (by: number): Stretch | null => {
    const there = nowAt(dayNumber(now.year, now.month + by, 1) * dayMs);
    return date(there.year, there.month, day);
  };
  const onWeekday = (by: number): Stretch | null => {
    const found = inMonth(by);
    return found && weekdayOf(found.from / dayMs) === weekday ? found : null;
  };
  const both = weekday === null ? null : pick(which, now, onWeekday);
  return both ?? pick(which, now, inMonth);
}

function date(year: number, month: number, day: number | null): Stretch | null {
  if (month < 1 || month > 12) return null;
  if (day === null) return ofMonths(year, month, 1, 'month');
  return day >= 1 && day <= daysIn(year, month) ? oneDay(dayNumber(year, month, day)) : null;
}

function weekday(day: number, which: Which, now: Now): Stretch | null {
  const monday = mondayOf(now.day);
  if (which === 'next') return oneDay(monday + 7 + day);
  // "This Friday" is the coming one, on a Saturday too.
  const asked = which === 'this' ? 'ahead' : which;
  return pick(asked, now, (by) => oneDay(monday + 7 * by + day));
}

function season(said: Extract<Said, { readonly is: 'season' }>, now: Now): Stretch | null {
  const { month, months, which } = said;
  const inYear = (year: number): Stretch => ofMonths(year, month, months, 'season');
  if (said.year !== null) return inYear(said.year);
  if (said.yearBy !== null) return inYear(now.year + said.yearBy);
  // In January and February, this winter is the one that began in the year before.
  if (which === 'this') return inYear(now.year - (month === 12 && now.month < 3 ? 1 : 0));
  const then = nowAt(addMonths(now.day, -12 * (said.back ?? 0)) * dayMs);
  return pick(which, then, (by) => inYear(then.year + by));
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): Stretch {
  const first = dayNumber(year, 11, 1);
  return oneDay(first + ((3 - weekdayOf(first) + 7) % 7) + 21);
}

/** Two digits are of this century, or of the last one when they would lie ahead. */
function decade(year: number, now: Now): Stretch {
  if (year >= 100) return ofYears(year, 10, 'decade');
  const inCentury = now.year - (now.year % 100) + year;
  return ofYears(inCentury > now.year ? inCentury - 100 : inCentury, 10, 'decade');
}

/** The unit of the calendar that holds now, or one so many before or after it. */
function unit(name: Unit, by: number, now: Now): Stretch | null {
  const monday = mondayOf(now.day);
  switch (name) {
    case 'day':
      return oneDay(now.day + by);
    case 'weekend':
      return ofDays(monday + 7 * by + 5, monday + 7 * by + 7, 'day');
    case 'week':
      return ofDays(monday + 7 * by, monday + 7 * by + 7, 'week');
    case 'month':
      return ofMonths(now.year, now.month + by, 1, 'month');
    case 'quarter':
      return ofMonths(now.year, now.month - ((now.month - 1) % 3) + 3 * by, 3, 'season');
    case 'year':
      return ofYears(now.year + by, 1, 'year');
    case 'decade':
      return ofYears(now.year - (now.year % 10) + 10 * by, 10, 'decade');
    default:
      return null;
  }
}

/** The whole unit that ends where another stretch begins, or begins where it ends. */
function beside(what: Unit | number, sign: 1 | -1, base: Stretch): Stretch | null {
  const first = Math.floor(base.from / dayMs);
  const after = Math.ceil(base.to / dayMs);
  if (typeof what === 'number' || what === 'weekend') {
    const day = typeof what === 'number' ? what : 5;
    const length = what === 'weekend' ? 2 : 1;
    const from =
      sign > 0 ? after + ((day - weekdayOf(after) + 7) % 7) : lastOn(day, first - length);
    return ofDays(from, from + length, 'day');
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
  return sign > 0 ? ofDays(after, other, grain) : ofDays(other, first, grain);
}

/** The latest day with this weekday that is not after `day`. */
const lastOn = (weekday: number, day: number): number => day - ((weekdayOf(day) - weekday + 7) % 7);

/** From the begin of one date to the end of another; a year said of one holds for both. */
function span(first: Said, last: Said, now: Now): Stretch | null {
  let begin: Stretch | null = null;
  let end: Stretch | null = null;
  if (hasYear(first) && !hasYear(last)) {
    begin = resolve(first, now);
    end = begin && resolve(ahead(last), nowAt(begin.from));
  } else {
    end = resolve(last, now);
    // Seen from the other end, the nearest past one is the one that is meant.
    const isOpen = !hasYear(first) && recurs(first);
    begin = end && (isOpen ? resolve(behind(first), nowAt(end.from)) : resolve(first, now));
  }
  if (!begin || !end) return null;
  // People count backwards, too: "from 2021 back to 2019".
  const from = Math.min(begin.from, end.from);
  return { from, to: Math.max(begin.to, end.to), grain: begin.grain };
}

const recurs = ({ is }: Said): boolean => is === 'calendar' || is === 'season' || is === 'weekday';

const hasYear = (said: Said): boolean =>
  (said.is === 'calendar' || said.is === 'season') && (said.year !== null || said.yearBy !== null);

/** A day of another year's end is still before it, whatever the sentence speaks of. */
const behind = (said: Said): Said =>
  said.is === 'calendar' || said.is === 'season' ? { ...said, which: 'near' } : said;

const ahead = (said: Said): Said => ('which' in said ? { ...said, which: 'ahead' } : said);
