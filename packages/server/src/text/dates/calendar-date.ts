import { calendarDate, type DateExpression, type OccurrenceSelector } from './date-expression.ts';
import type { Holiday } from './lexicon.ts';
import { parseDayOfMonth, parseDayRange, parseOrdinalNumber, parseYear } from './numeric-date.ts';
import { selectOccurrence } from './tense.ts';
import { type DateContext, skipOptional, type Token, textAt, tokenAt } from './tokens.ts';
import { isCountedQuantity } from './year.ts';

/** What was read, and the place behind it. */
export interface ParsedDate {
  readonly expression: DateExpression;
  readonly end: number;
}

interface ParsedYear {
  readonly year: number | null;
  readonly yearBy: number | null;
  readonly end: number;
}

const ofYear = ({ year, yearBy }: ParsedYear): Omit<ParsedYear, 'end'> => ({ year, yearBy });

/** The year behind a month, a season or a day: ", 2023", "of 2023", "'23", "last year". */
function yearAfter(reading: DateContext, at: number): ParsedYear | null {
  const next = skipOptional(reading, at, ',', 'of', 'in');
  const token = tokenAt(reading, next);
  const year = parseYear(token);
  if (year !== null && !isCountedQuantity(reading, next + 1))
    return { year, yearBy: null, end: next + 1 };
  const short = shortYear(reading, next);
  if (short) return short;
  const by = token.meaning?.is === 'shift' && !token.meaning.rolls ? token.meaning.by : null;
  if (by === null || textAt(reading, next + 1) !== 'year') return null;
  return { year: null, yearBy: by, end: next + 2 };
}

/** '23: of this century up to 69. */
function shortYear(reading: DateContext, at: number): ParsedYear | null {
  if (!["'", '’', '‘'].includes(textAt(reading, at))) return null;
  const { kind, text, suffix, isAttached } = tokenAt(reading, at + 1);
  if (kind !== 'number' || !isAttached || !/^\d\d$/.test(text) || suffix !== '') return null;
  const year = Number(text);
  return { year: year + (year < 70 ? 2000 : 1900), yearBy: null, end: at + 2 };
}

/** "in '98": after a word that leaves no other reading. */
export function parseApostropheYear(reading: DateContext, at: number): ParsedDate | null {
  if (!reading.isCertain && !['in', 'since'].includes(textAt(reading, at - 1))) return null;
  const found = shortYear(reading, at);
  return found && { expression: calendarDate({ year: found.year }), end: found.end };
}

type Dated = { readonly month: number; readonly day: number | null };

/** A day or month, with the year that may follow, or the one that is meant without. */
function dated(reading: DateContext, from: number, fields: Dated, end: number): ParsedDate {
  const year = yearAfter(reading, end);
  const shared = year ?? sharedYear(reading, end);
  if (!shared)
    return {
      expression: calendarDate({ ...fields, which: selectOccurrence(reading, from, end) }),
      end,
    };
  if (!year) return { expression: calendarDate({ ...fields, ...ofYear(shared) }), end };
  return { expression: calendarDate({ ...fields, ...ofYear(year) }), end: year.end };
}

/** The year of the next date, in "3 May and 7 June 2021" or "May, June 2021". */
function sharedYear(reading: DateContext, at: number): ParsedYear | null {
  if (!['and', 'or', '&', ','].includes(textAt(reading, at))) return null;
  const [one, two] = [tokenAt(reading, at + 1), tokenAt(reading, at + 2)];
  if (one.meaning?.is === 'month') {
    const end = behindMonth(reading, at + 1);
    return yearAfter(reading, parseDayOfMonth(tokenAt(reading, end)) === null ? end : end + 1);
  }
  const isDate = parseDayOfMonth(one) !== null && two.meaning?.is === 'month';
  return isDate ? yearAfter(reading, behindMonth(reading, at + 2)) : null;
}

function dayPair(reading: DateContext, from: number, month: number, days: Pair): ParsedDate {
  const last = dated(reading, from, { month, day: days.last }, days.end);
  const first = calendarDate({ month, day: days.first });
  const yearOf = last.expression.is === 'calendar' ? last.expression : null;
  if (yearOf?.year == null && yearOf?.yearBy == null) {
    return { expression: { is: 'span', first, last: last.expression }, end: last.end };
  }
  const { year, yearBy } = yearOf;
  const begin = calendarDate({ month, day: days.first, year, yearBy });
  return { expression: { is: 'span', first: begin, last: last.expression }, end: last.end };
}

interface Pair {
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** "3 to 7", "3rd–7th", and "3 and 7" where the words before allow it. */
function pairAt(reading: DateContext, at: number): Pair | null {
  const both = parseDayRange(tokenAt(reading, at));
  if (both) return { first: both[0], last: both[1], end: at + 1 };
  const first = parseDayOfMonth(tokenAt(reading, at));
  if (first === null || !reading.connectors.has(textAt(reading, at + 1))) return null;
  const next = skipOptional(reading, at + 2, 'the');
  const last = parseDayOfMonth(tokenAt(reading, next));
  return last !== null && first < last ? { first, last, end: next + 1 } : null;
}

const monthAt = (reading: DateContext, at: number): number | null => {
  const { meaning } = tokenAt(reading, at);
  return meaning?.is === 'month' ? meaning.month : null;
};

/** "7 May 2023", "the 7th of May", "3–7 May". */
export function parseDayFirstDate(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  if (token.isAttached && '.-$€£#:/'.includes(textAt(reading, at - 1))) return null;
  const pair = pairAt(reading, at);
  if (pair) {
    const next = skipOptional(reading, pair.end, 'of');
    const month = monthAt(reading, next);
    if (month === null) return null;
    return dayPair(reading, at, month, { ...pair, end: behindMonth(reading, next) });
  }
  const day = token.meaning?.is === 'ordinal' ? ordinalWord(reading, at) : dayHere(token, at);
  if (!day) return null;
  const next = skipOptional(reading, day.end, 'of');
  const month = monthAt(reading, next);
  if (month === null || !isMonth(reading, at, next)) return null;
  return dated(reading, at, { month, day: day.day }, behindMonth(reading, next));
}

const dayLeading = new Set('on since until till from to by the before after between'.split(' '));

/** "Chapter 7 may help" states no day. */
function isMonth(reading: DateContext, day: number, month: number): boolean {
  const { meaning, isCapitalized } = tokenAt(reading, month);
  if (meaning?.is !== 'month' || meaning.sure !== 'verb' || isCapitalized) return true;
  if (month > day + 1 || tokenAt(reading, day).suffix !== '') return true;
  return dayLeading.has(textAt(reading, day - 1)) || yearAfter(reading, month + 1) !== null;
}

const dayHere = (token: Token, at: number): { day: number; end: number } | null => {
  const day = parseDayOfMonth(token);
  return day === null ? null : { day, end: at + 1 };
};

/** "the seventh", "the twenty-first". */
function ordinalWord(reading: DateContext, at: number): { day: number; end: number } | null {
  const { meaning } = tokenAt(reading, at);
  if (meaning?.is !== 'ordinal' || textAt(reading, at + 1) !== 'of') return null;
  const dashed = textAt(reading, at - 1) === '-';
  const tens = tokenAt(reading, at - (dashed ? 2 : 1));
  const ten = tens.meaning?.is === 'number' ? tens.meaning.low : 0;
  return { day: meaning.value + (ten === 20 || ten === 30 ? ten : 0), end: at + 1 };
}

/** The place behind a month and the dot of its short form. */
const behindMonth = (reading: DateContext, at: number): number => {
  const { meaning } = tokenAt(reading, at);
  const short = meaning?.is === 'month' && meaning.sure === 'short';
  return short && tokenAt(reading, at + 1).isAttached ? skipOptional(reading, at + 1, '.') : at + 1;
};

/** "May 7, 2023", "May 3–7", "May 2023", and a month by itself. */
export function parseMonthFirstDate(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  const { meaning } = token;
  if (meaning?.is !== 'month') return null;
  const { month } = meaning;
  const behind = behindMonth(reading, at);
  const next = skipOptional(reading, behind, 'the');
  const glued = /^(\d{1,2}),(\d{4})$/.exec(textAt(reading, next));
  if (glued && tokenAt(reading, next).kind === 'number') {
    const [day, year] = [Number(glued[1]), Number(glued[2])];
    return { expression: calendarDate({ month, day, year }), end: next + 1 };
  }
  const pair = pairAt(reading, next);
  if (pair && !isCountedQuantity(reading, pair.end)) return dayPair(reading, at, month, pair);
  const day = parseDayOfMonth(tokenAt(reading, next));
  if (day !== null && !isCountedQuantity(reading, next + 1)) {
    return dated(reading, at, { month, day }, next + 1);
  }
  const year = yearAfter(reading, behind);
  const alone = { month, day: null };
  if (year && (textAt(reading, behind) !== ',' || isMonthName(reading, at, token))) {
    return { expression: calendarDate({ ...alone, ...ofYear(year) }), end: year.end };
  }
  if (!reading.isCertain && !isMonthName(reading, at, token)) return null;
  const shared = sharedYear(reading, behind);
  if (shared) return { expression: calendarDate({ ...alone, ...ofYear(shared) }), end: at + 1 };
  return {
    expression: calendarDate({ ...alone, which: selectOccurrence(reading, at, behind) }),
    end: at + 1,
  };
}

const leading = new Set('in since until till during throughout'.split(' '));
const leadingCapital = new Set('by before after through around'.split(' '));

/** Whether a month by itself is one, and no name ("June called") or verb ("may"). */
function isMonthName(reading: DateContext, at: number, { meaning, isCapitalized }: Token): boolean {
  if (meaning?.is !== 'month') return false;
  if (meaning.sure === 'plain') return true;
  const joined =
    reading.connectors.has(textAt(reading, at + 1)) && monthAt(reading, at + 2) !== null;
  if (joined && isCapitalized) return true;
  const before = textAt(reading, at - 1);
  if (leading.has(before)) return true;
  if (before === 'of' && ['month', 'rest'].includes(textAt(reading, at - 2))) return true;
  return meaning.sure === 'verb' && isCapitalized && leadingCapital.has(before);
}

/** "on the 5th", when nothing follows of which there could be a fifth. */
export function parseLoneDay(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  const day = parseOrdinalNumber(token);
  const the = textAt(reading, at - 1) === 'the' ? at - 1 : at;
  const { meaning, text: before } = tokenAt(reading, the - 1);
  const weekday = meaning?.is === 'weekday';
  if (day === null || day > 31 || (the === at && !weekday)) return null;
  if (!weekday && !['on', 'by', 'since', 'until', 'till'].includes(before)) return null;
  const next = tokenAt(reading, at + 1);
  if (next.kind === 'word' && !following.has(next.text)) return null;
  if (
    next.kind === 'number' ||
    (next.kind === 'mark' && next.isAttached && '-/'.includes(next.text))
  ) {
    return null;
  }
  return {
    expression: calendarDate({ day, which: selectOccurrence(reading, at, at + 1) }),
    end: at + 1,
  };
}

const following = new Set(
  'at and or i we he she they you it with for to in because when so but if there was is by'.split(
    ' ',
  ),
);

/** "summer 2022", "the fall of last year", "in the spring". */
export function parseSeason(reading: DateContext, at: number): ParsedDate | null {
  const { meaning } = tokenAt(reading, at);
  if (meaning?.is !== 'season') return null;
  const season = { is: 'season', month: meaning.month, months: 3 } as const;
  const year = yearAfter(reading, at + 1);
  if (year && textAt(reading, at + 1) !== ',') {
    return {
      expression: { ...season, ...ofYear(year), which: 'near' },
      end: year.end,
    };
  }
  const which = selectOccurrence(reading, at, at + 1);
  const said: DateExpression = { ...season, year: null, yearBy: null, which };
  return reading.isCertain || isWithin(reading, at) ? { expression: said, end: at + 1 } : null;
}

/** "in the summer", "over the winter". */
const isWithin = (reading: DateContext, at: number): boolean =>
  isPlaced(reading, at) ||
  (textAt(reading, at - 1) === 'the' &&
    ['in', 'over', 'during', 'since'].includes(textAt(reading, at - 2)));

/** In notes and letters: "after the summer", "by autumn". */
function isPlaced(reading: DateContext, at: number): boolean {
  if (reading.genre !== 'written' || tokenAt(reading, at).isCapitalized) return false;
  const the = textAt(reading, at - 1) === 'the';
  const lead = textAt(reading, at - (the ? 2 : 1));
  return ['in', 'after', 'before', 'until', 'by', 'over', 'during', 'for'].includes(lead);
}

/** "Q3 2024", "2024 Q3", "in Q3", "H1 2024". */
export function parseQuarter(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  if (token.meaning?.is !== 'quarter') return null;
  const { month, months } = token.meaning;
  const season = { is: 'season', month, months } as const;
  const year = yearAfter(reading, at + 1);
  if (year && textAt(reading, at + 1) !== ',') {
    return {
      expression: { ...season, ...ofYear(year), which: 'near' },
      end: year.end,
    };
  }
  const before = textAt(reading, at - 1);
  const placed = ['in', 'during', 'by', 'since', 'until', 'for'].includes(before);
  const free = reading.genre === 'written';
  if (months !== 3 || !(reading.isCertain || placed || free)) return null;
  const which: OccurrenceSelector = selectOccurrence(reading, at, at + 1);
  return { expression: { ...season, year: null, yearBy: null, which }, end: at + 1 };
}

const holidayDates: Record<Exclude<Holiday, 'thanksgiving'>, { month: number; day: number }> = {
  christmas: { month: 12, day: 25 },
  halloween: { month: 10, day: 31 },
  'new-year': { month: 1, day: 1 },
  valentine: { month: 2, day: 14 },
};

/** Feasts of a fixed day, and Thanksgiving: with their eve, their day, and a year. */
export function parseHoliday(
  reading: DateContext,
  at: number,
  shift?: OccurrenceSelector,
): ParsedDate | null {
  const { meaning } = tokenAt(reading, at);
  if (meaning?.is !== 'feast') return null;
  const { name } = meaning;
  if (name === 'new-year' && textAt(reading, at + 1) !== 'year') return null;
  let end = name === 'new-year' ? at + 2 : at + 1;
  if (["'", '’'].includes(textAt(reading, end)) && textAt(reading, end + 1) === 's') end += 2;
  const eve = textAt(reading, end) === 'eve';
  const named = eve || textAt(reading, end) === 'day';
  if (named) end += 1;
  if (name === 'new-year' && !named) return null;
  const year = yearAfter(reading, end);
  const before = textAt(reading, at - 1);
  const placed = ['on', 'at', 'for', 'over', 'since', 'before', 'after', 'by', 'until'];
  if (!year && !named && !shift && !reading.isCertain && !placed.includes(before)) return null;
  const which = shift ?? selectOccurrence(reading, at, end);
  if (name === 'thanksgiving') {
    const said: DateExpression = { is: 'thanksgiving', year: year?.year ?? null, which };
    return { expression: said, end: year?.year ? year.end : end };
  }
  const { month, day } = holidayDates[name];
  const eveOf = month === 1 ? { month: 12, day: 31 } : { month, day: day - 1 };
  const fields = { ...(eve ? eveOf : { month, day }), which };
  if (!year) return { expression: calendarDate(fields), end };
  return { expression: calendarDate({ ...fields, ...ofYear(year) }), end: year.end };
}
