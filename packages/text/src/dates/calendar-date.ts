import { calendarDate, type DateExpression, type OccurrenceSelector } from './date-expression.ts';
import type { Holiday } from './lexicon.ts';
import { parseDayOfMonth, parseDayRange, parseOrdinalNumber, parseYear } from './numeric-date.ts';
import { selectOccurrenceByTense } from './tense.ts';
import { type DateParserState, skipOptional, type Token, textAt, tokenAt } from './tokens.ts';
import { isCountedQuantity } from './year.ts';

/** The parsed expression and the index after it. */
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

/** The year after a month, a season or a day: ", 2023", "of 2023", "'23", "last year". */
function yearAfter(context: DateParserState, at: number): ParsedYear | null {
  const next = skipOptional(context, at, ',', 'of', 'in');
  const token = tokenAt(context, next);
  const year = parseYear(token);
  if (year !== null && !isCountedQuantity(context, next + 1))
    return { year, yearBy: null, end: next + 1 };
  const short = shortYear(context, next);
  if (short) return short;
  const by = token.meaning?.is === 'shift' && !token.meaning.rolls ? token.meaning.by : null;
  if (by === null || textAt(context, next + 1) !== 'year') return null;
  return { year: null, yearBy: by, end: next + 2 };
}

/** '23: two digits up to 69 are of this century. */
function shortYear(context: DateParserState, at: number): ParsedYear | null {
  if (!["'", '’', '‘'].includes(textAt(context, at))) return null;
  const { kind, text, suffix, isAttached } = tokenAt(context, at + 1);
  if (kind !== 'number' || !isAttached || !/^\d\d$/.test(text) || suffix !== '') return null;
  const year = Number(text);
  return { year: year + (year < 70 ? 2000 : 1900), yearBy: null, end: at + 2 };
}

/** "in '98": after a word that is unambiguous. */
export function parseApostropheYear(context: DateParserState, at: number): ParsedDate | null {
  if (!context.isCertain && !['in', 'since'].includes(textAt(context, at - 1))) return null;
  const found = shortYear(context, at);
  return found && { expression: calendarDate({ year: found.year }), end: found.end };
}

type Dated = { readonly month: number; readonly day: number | null };

/** A day or month with the year that may follow; without a year, the occurrence is selected. */
function dated(context: DateParserState, from: number, fields: Dated, end: number): ParsedDate {
  const year = yearAfter(context, end);
  const shared = year ?? sharedYear(context, end);
  if (!shared)
    return {
      expression: calendarDate({ ...fields, which: selectOccurrenceByTense(context, from, end) }),
      end,
    };
  if (!year) return { expression: calendarDate({ ...fields, ...ofYear(shared) }), end };
  return { expression: calendarDate({ ...fields, ...ofYear(year) }), end: year.end };
}

/** The year of the following date, in "3 May and 7 June 2021" or "May, June 2021". */
function sharedYear(context: DateParserState, at: number): ParsedYear | null {
  if (!['and', 'or', '&', ','].includes(textAt(context, at))) return null;
  const [one, two] = [tokenAt(context, at + 1), tokenAt(context, at + 2)];
  if (one.meaning?.is === 'month') {
    const end = afterMonth(context, at + 1);
    return yearAfter(context, parseDayOfMonth(tokenAt(context, end)) === null ? end : end + 1);
  }
  const isDate = parseDayOfMonth(one) !== null && two.meaning?.is === 'month';
  return isDate ? yearAfter(context, afterMonth(context, at + 2)) : null;
}

function dayPair(context: DateParserState, from: number, month: number, days: Pair): ParsedDate {
  const last = dated(context, from, { month, day: days.last }, days.end);
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

/** "3 to 7", "3rd–7th", and "3 and 7" if the preceding words allow it. */
function pairAt(context: DateParserState, at: number): Pair | null {
  const both = parseDayRange(tokenAt(context, at));
  if (both) return { first: both[0], last: both[1], end: at + 1 };
  const first = parseDayOfMonth(tokenAt(context, at));
  if (first === null || !context.connectors.has(textAt(context, at + 1))) return null;
  const next = skipOptional(context, at + 2, 'the');
  const last = parseDayOfMonth(tokenAt(context, next));
  return last !== null && first < last ? { first, last, end: next + 1 } : null;
}

const monthAt = (context: DateParserState, at: number): number | null => {
  const { meaning } = tokenAt(context, at);
  return meaning?.is === 'month' ? meaning.month : null;
};

/** "7 May 2023", "the 7th of May", "3–7 May". */
export function parseDayFirstDate(context: DateParserState, at: number): ParsedDate | null {
  const token = tokenAt(context, at);
  if (token.isAttached && '.-$€£#:/'.includes(textAt(context, at - 1))) return null;
  const pair = pairAt(context, at);
  if (pair) {
    const next = skipOptional(context, pair.end, 'of');
    const month = monthAt(context, next);
    if (month === null) return null;
    return dayPair(context, at, month, { ...pair, end: afterMonth(context, next) });
  }
  const day = token.meaning?.is === 'ordinal' ? ordinalWord(context, at) : dayHere(token, at);
  if (!day) return null;
  const next = skipOptional(context, day.end, 'of');
  const month = monthAt(context, next);
  if (month === null || !isMonth(context, at, next)) return null;
  return dated(context, at, { month, day: day.day }, afterMonth(context, next));
}

const dayLeading = new Set('on since until till from to by the before after between'.split(' '));

/** "Chapter 7 may help" contains no day. */
function isMonth(context: DateParserState, day: number, month: number): boolean {
  const { meaning, isCapitalized } = tokenAt(context, month);
  if (meaning?.is !== 'month' || meaning.sure !== 'verb' || isCapitalized) return true;
  if (month > day + 1 || tokenAt(context, day).suffix !== '') return true;
  return dayLeading.has(textAt(context, day - 1)) || yearAfter(context, month + 1) !== null;
}

const dayHere = (token: Token, at: number): { day: number; end: number } | null => {
  const day = parseDayOfMonth(token);
  return day === null ? null : { day, end: at + 1 };
};

/** "the seventh", "the twenty-first". */
function ordinalWord(context: DateParserState, at: number): { day: number; end: number } | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'ordinal' || textAt(context, at + 1) !== 'of') return null;
  const dashed = textAt(context, at - 1) === '-';
  const tens = tokenAt(context, at - (dashed ? 2 : 1));
  const ten = tens.meaning?.is === 'number' ? tens.meaning.low : 0;
  return { day: meaning.value + (ten === 20 || ten === 30 ? ten : 0), end: at + 1 };
}

/** The index after a month and the dot of its abbreviation. */
const afterMonth = (context: DateParserState, at: number): number => {
  const { meaning } = tokenAt(context, at);
  const short = meaning?.is === 'month' && meaning.sure === 'short';
  return short && tokenAt(context, at + 1).isAttached ? skipOptional(context, at + 1, '.') : at + 1;
};

/** "May 7, 2023", "May 3–7", "May 2023", and a month alone. */
export function parseMonthFirstDate(context: DateParserState, at: number): ParsedDate | null {
  const token = tokenAt(context, at);
  const { meaning } = token;
  if (meaning?.is !== 'month') return null;
  const { month } = meaning;
  const monthEnd = afterMonth(context, at);
  const next = skipOptional(context, monthEnd, 'the');
  const glued = /^(\d{1,2}),(\d{4})$/.exec(textAt(context, next));
  if (glued && tokenAt(context, next).kind === 'number') {
    const [day, year] = [Number(glued[1]), Number(glued[2])];
    return { expression: calendarDate({ month, day, year }), end: next + 1 };
  }
  const pair = pairAt(context, next);
  if (pair && !isCountedQuantity(context, pair.end)) return dayPair(context, at, month, pair);
  const day = parseDayOfMonth(tokenAt(context, next));
  if (day !== null && !isCountedQuantity(context, next + 1)) {
    return dated(context, at, { month, day }, next + 1);
  }
  const year = yearAfter(context, monthEnd);
  const alone = { month, day: null };
  if (year && (textAt(context, monthEnd) !== ',' || isMonthName(context, at, token))) {
    return { expression: calendarDate({ ...alone, ...ofYear(year) }), end: year.end };
  }
  if (!context.isCertain && !isMonthName(context, at, token)) return null;
  const shared = sharedYear(context, monthEnd);
  if (shared) return { expression: calendarDate({ ...alone, ...ofYear(shared) }), end: at + 1 };
  return {
    expression: calendarDate({ ...alone, which: selectOccurrenceByTense(context, at, monthEnd) }),
    end: at + 1,
  };
}

const leading = new Set('in since until till during throughout'.split(' '));
const leadingCapital = new Set('by before after through around'.split(' '));

/** Whether a month alone is a month, not a name ("June called") or a verb ("may"). */
function isMonthName(
  context: DateParserState,
  at: number,
  { meaning, isCapitalized }: Token,
): boolean {
  if (meaning?.is !== 'month') return false;
  if (meaning.sure === 'plain') return true;
  const joined =
    context.connectors.has(textAt(context, at + 1)) && monthAt(context, at + 2) !== null;
  if (joined && isCapitalized) return true;
  const before = textAt(context, at - 1);
  if (leading.has(before)) return true;
  if (before === 'of' && ['month', 'rest'].includes(textAt(context, at - 2))) return true;
  return meaning.sure === 'verb' && isCapitalized && leadingCapital.has(before);
}

/** "on the 5th", unless a noun follows it ("the 5th floor"). */
export function parseLoneDayOfMonth(context: DateParserState, at: number): ParsedDate | null {
  const token = tokenAt(context, at);
  const day = parseOrdinalNumber(token);
  const the = textAt(context, at - 1) === 'the' ? at - 1 : at;
  const { meaning, text: before } = tokenAt(context, the - 1);
  const weekday = meaning?.is === 'weekday';
  if (day === null || day > 31 || (the === at && !weekday)) return null;
  if (!weekday && !['on', 'by', 'since', 'until', 'till'].includes(before)) return null;
  const next = tokenAt(context, at + 1);
  if (next.kind === 'word' && !following.has(next.text)) return null;
  if (
    next.kind === 'number' ||
    (next.kind === 'mark' && next.isAttached && '-/'.includes(next.text))
  ) {
    return null;
  }
  return {
    expression: calendarDate({ day, which: selectOccurrenceByTense(context, at, at + 1) }),
    end: at + 1,
  };
}

const following = new Set(
  'at and or i we he she they you it with for to in because when so but if there was is by'.split(
    ' ',
  ),
);

/** "summer 2022", "the fall of last year", "in the spring". */
export function parseSeason(context: DateParserState, at: number): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'season') return null;
  const season = { is: 'season', month: meaning.month, months: 3 } as const;
  const year = yearAfter(context, at + 1);
  if (year && textAt(context, at + 1) !== ',') {
    return {
      expression: { ...season, ...ofYear(year), which: 'near' },
      end: year.end,
    };
  }
  const which = selectOccurrenceByTense(context, at, at + 1);
  const expression: DateExpression = { ...season, year: null, yearBy: null, which };
  return context.isCertain || isWithin(context, at) ? { expression, end: at + 1 } : null;
}

/** "in the summer", "over the winter". */
const isWithin = (context: DateParserState, at: number): boolean =>
  isPlaced(context, at) ||
  (textAt(context, at - 1) === 'the' &&
    ['in', 'over', 'during', 'since'].includes(textAt(context, at - 2)));

/** In notes and letters also "after the summer", "by autumn". */
function isPlaced(context: DateParserState, at: number): boolean {
  if (context.genre !== 'written' || tokenAt(context, at).isCapitalized) return false;
  const the = textAt(context, at - 1) === 'the';
  const lead = textAt(context, at - (the ? 2 : 1));
  return ['in', 'after', 'before', 'until', 'by', 'over', 'during', 'for'].includes(lead);
}

/** "Q3 2024", "2024 Q3", "in Q3", "H1 2024". */
export function parseQuarter(context: DateParserState, at: number): ParsedDate | null {
  const token = tokenAt(context, at);
  if (token.meaning?.is !== 'quarter') return null;
  const { month, months } = token.meaning;
  const season = { is: 'season', month, months } as const;
  const year = yearAfter(context, at + 1);
  if (year && textAt(context, at + 1) !== ',') {
    return {
      expression: { ...season, ...ofYear(year), which: 'near' },
      end: year.end,
    };
  }
  const before = textAt(context, at - 1);
  const placed = ['in', 'during', 'by', 'since', 'until', 'for'].includes(before);
  const free = context.genre === 'written';
  if (months !== 3 || !(context.isCertain || placed || free)) return null;
  const which: OccurrenceSelector = selectOccurrenceByTense(context, at, at + 1);
  return { expression: { ...season, year: null, yearBy: null, which }, end: at + 1 };
}

const holidayDates: Record<Exclude<Holiday, 'thanksgiving'>, { month: number; day: number }> = {
  christmas: { month: 12, day: 25 },
  halloween: { month: 10, day: 31 },
  'new-year': { month: 1, day: 1 },
  valentine: { month: 2, day: 14 },
};

/** Holidays on a fixed day, and Thanksgiving: with "eve", "day", and a year. */
export function parseHoliday(
  context: DateParserState,
  at: number,
  shift?: OccurrenceSelector,
): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'feast') return null;
  const { name } = meaning;
  if (name === 'new-year' && textAt(context, at + 1) !== 'year') return null;
  let end = name === 'new-year' ? at + 2 : at + 1;
  if (["'", '’'].includes(textAt(context, end)) && textAt(context, end + 1) === 's') end += 2;
  const eve = textAt(context, end) === 'eve';
  const named = eve || textAt(context, end) === 'day';
  if (named) end += 1;
  if (name === 'new-year' && !named) return null;
  const year = yearAfter(context, end);
  const before = textAt(context, at - 1);
  const placed = ['on', 'at', 'for', 'over', 'since', 'before', 'after', 'by', 'until'];
  if (!year && !named && !shift && !context.isCertain && !placed.includes(before)) return null;
  const which = shift ?? selectOccurrenceByTense(context, at, end);
  if (name === 'thanksgiving') {
    const expression: DateExpression = { is: 'thanksgiving', year: year?.year ?? null, which };
    return { expression, end: year?.year ? year.end : end };
  }
  const { month, day } = holidayDates[name];
  const eveOf = month === 1 ? { month: 12, day: 31 } : { month, day: day - 1 };
  const fields = { ...(eve ? eveOf : { month, day }), which };
  if (!year) return { expression: calendarDate(fields), end };
  return { expression: calendarDate({ ...fields, ...ofYear(year) }), end: year.end };
}
