import {
  type ParsedDate,
  parseDayFirstDate,
  parseHoliday,
  parseLoneDayOfMonth,
  parseMonthFirstDate,
} from './calendar-date.ts';
import { calendarUnits, type DateParser, parseDateAfterOf } from './date-after-of.ts';
import {
  calendarDate,
  type DateExpression,
  type OccurrenceSelector,
  type TimeUnit,
  todayExpression,
} from './date-expression.ts';
import { getDateWordMeaning } from './lexicon.ts';
import { parseDayOfMonth, parseNumericDate, parseOrdinalNumber } from './numeric-date.ts';
import { parseNumberRange, parseTimeAmounts, parseTimeUnit } from './quantity.ts';
import { selectOccurrenceByTense } from './tense.ts';
import { type DateParserState, skipOptional, textAt, tokenAt } from './tokens.ts';

const yesterday: DateExpression = { is: 'unit', unit: 'day', by: -1 };

/** The direction of "before" or "after" at an index, and the index after it. */
function sideAt(context: DateParserState, at: number): { sign: 1 | -1; end: number } | null {
  const text = textAt(context, at);
  if (text === 'before') return { sign: -1, end: skipOptional(context, at + 1, 'the') };
  if (text === 'after' || text === 'following') {
    return { sign: 1, end: skipOptional(context, at + 1, 'the') };
  }
  return text === 'prior' && textAt(context, at + 1) === 'to' ? { sign: -1, end: at + 2 } : null;
}

/** "three days ago", "two weeks before 9 June", "a week from Monday". */
export function parseDateByDistance(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const quantity = parseTimeAmounts(context, at);
  if (!quantity) return timesAgo(context, at);
  const { amounts, end } = quantity;
  const next = textAt(context, end);
  if (next === 'ago' || (next === 'back' && endsClause(context, end + 1))) {
    return { expression: { is: 'away', amounts, sign: -1 }, end: end + 1 };
  }
  if (next === 'from' && ['now', 'today'].includes(textAt(context, end + 1))) {
    return { expression: { is: 'away', amounts, sign: 1 }, end: end + 2 };
  }
  const side = next === 'from' ? { sign: 1 as const, end: end + 1 } : sideAt(context, end);
  const base = side && parseDate({ ...context, isCertain: false }, side.end);
  if (!base || (next === 'from' && !isNearDay(base.expression))) return null;
  // "A week from Monday" refers to the next Monday.
  const from: DateExpression =
    next === 'from' && 'which' in base.expression
      ? { ...base.expression, which: 'ahead' }
      : base.expression;
  return { expression: { is: 'awayFrom', amounts, sign: side.sign, base: from }, end: base.end };
}

/** "two Sundays ago", "three summers ago". */
function timesAgo(context: DateParserState, at: number): ParsedDate | null {
  const numbers = parseNumberRange(context, at);
  if (!numbers || !Number.isInteger(numbers.low) || numbers.low < 1) return null;
  if (textAt(context, numbers.end + 1) !== 'ago') return null;
  const word = textAt(context, numbers.end);
  const meaning = word.endsWith('s') ? getDateWordMeaning(word.slice(0, -1)) : null;
  const named = { which: 'last', back: numbers.low - 1 } as const;
  const end = numbers.end + 2;
  if (meaning?.is === 'weekday' && meaning.sure === 'plain') {
    return { expression: { is: 'weekday', weekday: meaning.weekday, ...named }, end };
  }
  if (meaning?.is !== 'season') return null;
  const { month } = meaning;
  return {
    expression: { is: 'season', month, months: 3, year: null, yearBy: null, ...named },
    end,
  };
}

const isNearDay = (expression: DateExpression): boolean =>
  expression.is === 'weekday' || (expression.is === 'unit' && expression.unit === 'day');

/** Whether a clause ends at an index. */
function endsClause(context: DateParserState, at: number): boolean {
  const { kind, text } = tokenAt(context, at);
  return kind !== 'word' ? kind !== 'number' : ['and', 'when', 'we', 'i', 'but'].includes(text);
}

const negations = new Set(
  'time times first best worst most longest never not t once twice no only ever'.split(' '),
);

/** "in two weeks": not "the first time in two years", not "twice in a day". */
export function parseInDuration(context: DateParserState, at: number): ParsedDate | null {
  const quantity = parseTimeAmounts(
    context,
    skipOptional(context, at + 1, 'about', 'around', 'roughly'),
  );
  const unit = quantity?.amounts.at(-1)?.unit;
  if (!quantity || !unit || unit === 'weekend') return null;
  if (['second', 'minute', 'hour'].includes(unit)) return null;
  if (unit === 'day' && textAt(context, at + 1) === 'a' && quantity.end === at + 3) return null;
  for (let i = at - 1; i >= Math.max(0, at - 6); i -= 1) {
    if (negations.has(textAt(context, i))) return null;
  }
  if (['of', 'ago', 'or'].includes(textAt(context, quantity.end))) return null;
  return { expression: { is: 'away', amounts: quantity.amounts, sign: 1 }, end: quantity.end };
}

/** "the week before 9 June", "the weekend before last", "the week of 1 May", "the weekend". */
export function parseUnitDate(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const found = parseTimeUnit(context, at);
  if (!found || found.plural) return null;
  const { unit } = found;
  const adjacent = adjacentAt(context, at, unit, parseDate);
  if (adjacent) return adjacent;
  if (unit !== 'week' && unit !== 'weekend') return null;
  if (textAt(context, at + 1) === 'of') {
    const base = parseDateAfterOf(context, at + 2, parseDate);
    const isDay = base?.expression.is === 'calendar' && base.expression.day !== null;
    return isDay
      ? { expression: { is: 'around', unit, base: base.expression }, end: base.end }
      : null;
  }
  const placed = ['over', 'on', 'at', 'during', 'for'].includes(textAt(context, at - 2));
  if (unit === 'week' || textAt(context, at - 1) !== 'the' || !placed) return null;
  return {
    expression: { is: 'weekend', which: selectOccurrenceByTense(context, at, at + 1) },
    end: at + 1,
  };
}

function adjacentAt(
  context: DateParserState,
  at: number,
  what: TimeUnit | number,
  parseDate: DateParser,
): ParsedDate | null {
  const side = sideAt(context, at + 1);
  if (!side) return null;
  const two = ['before last', 'after next'].includes(
    `${textAt(context, at + 1)} ${textAt(context, at + 2)}`,
  );
  if (two && typeof what === 'string') {
    const base = parseDate({ ...context, isCertain: false }, at + 2);
    if (!base) return { expression: { is: 'unit', unit: what, by: 2 * side.sign }, end: at + 3 };
  }
  const base = parseDate({ ...context, isCertain: false }, side.end);
  if (!base) return null;
  return {
    expression: { is: 'beside', what, sign: side.sign, base: base.expression },
    end: base.end,
  };
}

/** "the night before last", "the evening of 7 May". */
export function parseDayPart(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'dayPart') return null;
  const { part } = meaning;
  const of = textAt(context, at + 1) === 'of' ? parseDateAfterOf(context, at + 2, parseDate) : null;
  const found = of ?? adjacentAt(context, at, 'day', parseDate);
  return found && { expression: { is: 'dayPart', part, base: found.expression }, end: found.end };
}

const named = new Set(
  'every each any good black ash palm cyber easter shrove maundy bloody manic girl'.split(' '),
);

/** "Monday, 8 May", "the Friday before 15 May", "Friday of last week", "on Monday". */
export function parseWeekday(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'weekday' || named.has(textAt(context, at - 1))) return null;
  const { weekday } = meaning;
  const full = dateAfter(context, at + 1, weekday);
  if (full) return full;
  if (recurs(context, at)) return null;
  const stands = isWeekdayName(context, at);
  const week = skipOptional(context, at + 1, 'of');
  const shift = tokenAt(context, week).meaning;
  if (shift?.is === 'shift' && textAt(context, week + 1) === 'week' && stands) {
    return { expression: { is: 'weekdayOf', weekday, by: shift.by }, end: week + 2 };
  }
  if (!stands) return null;
  const adjacent = adjacentAt(context, at, weekday, parseDate);
  if (adjacent) return adjacent;
  return {
    expression: { is: 'weekday', weekday, which: selectOccurrenceByTense(context, at, at + 1) },
    end: at + 1,
  };
}

/** The full date after a weekday. */
function dateAfter(context: DateParserState, at: number, weekday: number): ParsedDate | null {
  const dot = tokenAt(context, at).isAttached ? skipOptional(context, at, '.') : at;
  const next = skipOptional(context, skipOptional(context, dot, ',', '('), 'the');
  const token = tokenAt(context, next);
  const numeric = token.kind === 'number' ? parseNumericDate(token) : null;
  if (numeric) return { expression: numeric, end: next + 1 };
  const date =
    parseDayFirstDate(context, next) ?? parseMonthFirstDate({ ...context, isCertain: false }, next);
  if (date && isDay(date.expression)) return date;
  if (date) return null;
  const alone = parseLoneDayOfMonth(context, next);
  if (alone?.expression.is !== 'calendar') return null;
  return { expression: { ...alone.expression, weekday }, end: alone.end };
}

const isDay = (expression: DateExpression): boolean =>
  expression.is === 'span' || (expression.is === 'calendar' && expression.day !== null);

function isWeekdayName(context: DateParserState, at: number): boolean {
  const { meaning, isCapitalized, text } = tokenAt(context, at);
  if (meaning?.is !== 'weekday') return false;
  if (meaning.sure === 'plain') return true;
  const placed = textAt(context, at - 1) === 'on' || context.isCertain;
  if (meaning.sure === 'short') return placed || isCapitalized;
  return placed && (isCapitalized || text !== 'sun');
}

/** "Monday to Friday" is recurring. */
function recurs(context: DateParserState, at: number): boolean {
  const isWeekday = (index: number): boolean => tokenAt(context, index).meaning?.is === 'weekday';
  const joins = ['to', 'through', '-', '–', 'thru'];
  return (
    (joins.includes(textAt(context, at + 1)) && isWeekday(at + 2)) ||
    (joins.includes(textAt(context, at - 1)) && isWeekday(at - 2))
  );
}

/** "last week", "this past weekend", "next Friday", "last summer", "the past three months". */
export function parseLastOrNextDate(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const { meaning, text } = tokenAt(context, at);
  if (meaning?.is !== 'shift') return null;
  const inner = tokenAt(context, at + 1).meaning;
  if (text === 'this' && inner?.is === 'shift' && inner.rolls) {
    return shiftedBy(context, at + 1, inner.by, false);
  }
  if (text === 'last') {
    const of = nthOf(context, at + 1, -1, parseDate);
    if (of) return of;
  }
  const rolls = meaning.rolls || (text === 'last' && textAt(context, at - 1) === 'the');
  return shiftedBy(context, at, meaning.by, rolls);
}

const whichBy = (by: -1 | 0 | 1): OccurrenceSelector =>
  by < 0 ? 'last' : by > 0 ? 'next' : 'this';

function shiftedBy(
  context: DateParserState,
  at: number,
  by: -1 | 0 | 1,
  rolls: boolean,
): ParsedDate | null {
  const next = at + 1;
  const { meaning, isCapitalized, text } = tokenAt(context, next);
  const which = whichBy(by);
  if (by !== 0) {
    const quantity = rollingAt(context, next, by);
    if (quantity) return quantity;
  }
  switch (meaning?.is) {
    case 'unit':
      return shiftedUnit(context, next, by, rolls);
    case 'weekday': {
      if (meaning.sure === 'word' && !isCapitalized) return null;
      const full = dateAfter(context, next + 1, meaning.weekday);
      // In notes, "next Monday" means the nearest one.
      const nearest = context.genre === 'written' && which === 'next' ? 'coming' : which;
      const coming = tokenAt(context, at).text.endsWith('coming') ? 'ahead' : nearest;
      return full ?? { expression: { ...meaning, is: 'weekday', which: coming }, end: next + 1 };
    }
    case 'month': {
      if (text === 'may' && !isCapitalized) return null;
      if (text === 'march' && !isCapitalized && textAt(context, at - 1) === 'the') return null;
      const day = parseDayOfMonth(tokenAt(context, next + 1));
      const end = day === null ? next + 1 : next + 2;
      return { expression: calendarDate({ month: meaning.month, day, which }), end };
    }
    case 'season': {
      const { month } = meaning;
      const expression: DateExpression = {
        is: 'season',
        month,
        months: 3,
        year: null,
        yearBy: null,
        which,
      };
      return { expression, end: next + 1 };
    }
    case 'feast':
      return parseHoliday(context, next, which);
    case 'dayPart': {
      const { part } = meaning;
      if (by > 0 || (by < 0 && part === 'morning')) return null;
      return {
        expression: { is: 'dayPart', part, base: by < 0 ? yesterday : todayExpression },
        end: next + 1,
      };
    }
    default:
      return null;
  }
}

/** "last three months", "past few weeks", "next couple of days". */
function rollingAt(context: DateParserState, at: number, by: 1 | -1): ParsedDate | null {
  const numbers = textAt(context, at) === 'a' ? null : parseNumberRange(context, at);
  const unit = numbers && parseTimeUnit(context, numbers.end);
  if (!unit) return null;
  const amount = { unit: unit.unit, low: numbers.low, high: numbers.high };
  return { expression: { is: 'rolling', amount, sign: by }, end: numbers.end + 1 };
}

function shiftedUnit(
  context: DateParserState,
  at: number,
  by: -1 | 0 | 1,
  rolls: boolean,
): ParsedDate | null {
  const found = parseTimeUnit(context, at);
  if (!found || found.plural) return null;
  const { unit } = found;
  const end = at + 1;
  if (unit === 'weekend') {
    const expression: DateExpression =
      by < 0 ? { is: 'weekend', which: 'last' } : { is: 'unit', unit: 'weekend', by };
    return { expression, end };
  }
  const short = unit === 'hour' || unit === 'fortnight';
  if ((rolls || short) && by < 0 && unit !== 'day') {
    return { expression: { is: 'rolling', amount: { unit, low: 1, high: 1 }, sign: -1 }, end };
  }
  if (!calendarUnits.includes(unit)) return null;
  if (unit === 'week') {
    const day = skipOptional(context, end, 'on');
    const { meaning } = tokenAt(context, day);
    if (meaning?.is === 'weekday' && isWeekdayName(context, day)) {
      return { expression: { is: 'weekdayOf', weekday: meaning.weekday, by }, end: day + 1 };
    }
  }
  return { expression: { is: 'unit', unit, by }, end };
}

/** "first week of May", "last Monday of 2022", "second half of June", "third quarter of 2024". */
function nthOf(
  context: DateParserState,
  at: number,
  nth: number,
  parseDate: DateParser,
): ParsedDate | null {
  const token = tokenAt(context, at);
  if (!['of', 'in'].includes(textAt(context, at + 1))) return null;
  const weekday = token.meaning?.is === 'weekday' ? token.meaning.weekday : null;
  const half = token.text === 'half' ? 'half' : null;
  const what = weekday ?? half ?? parseTimeUnit(context, at)?.unit ?? null;
  const base = what === null ? null : parseDateAfterOf(context, at + 2, parseDate);
  if (what === null || !base) return null;
  return { expression: { is: 'nth', what, nth, base: base.expression }, end: base.end };
}

/** "first week of May", and "first of May". */
export function parseOrdinalDate(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const token = tokenAt(context, at);
  const nth = token.meaning?.is === 'ordinal' ? token.meaning.value : parseOrdinalNumber(token);
  if (nth === null) return null;
  return nthOf(context, at + 1, nth, parseDate) ?? parseDayFirstDate(context, at);
}
