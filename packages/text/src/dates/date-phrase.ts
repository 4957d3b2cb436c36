import {
  type ParsedDate,
  parseApostropheYear,
  parseDayFirstDate,
  parseHoliday,
  parseLoneDayOfMonth,
  parseMonthFirstDate,
  parseQuarter,
  parseSeason,
} from './calendar-date.ts';
import { parseDateAfterOf, parseTheOtherDay } from './date-after-of.ts';
import { calendarDate, type DateExpression, todayExpression } from './date-expression.ts';
import { parseNumericDate, parseTimestamp } from './numeric-date.ts';
import {
  parseDateByDistance,
  parseDayPart,
  parseInDuration,
  parseLastOrNextDate,
  parseOrdinalDate,
  parseUnitDate,
  parseWeekday,
} from './relative-date.ts';
import {
  type DateParserState,
  skipOptional,
  type TextGenre,
  type Token,
  textAt,
  tokenAt,
} from './tokens.ts';
import { parseBareYear } from './year.ts';

const depthMax = 4;
const joins: ReadonlySet<string> = new Set('to through thru until till - – —'.split(' '));
const betweenJoins: ReadonlySet<string> = new Set('and & - – —'.split(' '));

/** The longest date or span that starts at a token. */
export function parseDatePhrase(
  tokens: readonly Token[],
  at: number,
  aim: TextGenre = 'told',
): ParsedDate | null {
  return parseDateAt({ tokens, isCertain: false, connectors: joins, genre: aim, depth: 0 }, at);
}

function parseDateAt(outer: DateParserState, at: number): ParsedDate | null {
  if (outer.depth >= depthMax) return null;
  const token = tokenAt(outer, at);
  if (!token.meaning && token.kind !== 'number' && token.kind !== 'stamp' && !isTick(token.text)) {
    return null;
  }
  const context = { ...outer, depth: outer.depth + 1 };
  if (token.meaning?.is === 'link') return parseLinked(context, at, token.meaning.link);
  const found = oneDate(context, at, token);
  if (!found) return null;
  const whole = withDayPart(context, found);
  return spanFrom(context, whole) ?? whole;
}

const isTick = (text: string): boolean => text === "'" || text === '’' || text === '‘';

type Link = Extract<NonNullable<Token['meaning']>, { readonly is: 'link' }>['link'];

function parseLinked(context: DateParserState, at: number, link: Link): ParsedDate | null {
  const next = skipOptional(context, at + 1, 'the');
  switch (link) {
    case 'in':
      return parseInDuration(context, at);
    case 'other':
      return parseTheOtherDay(context, at);
    case 'since': {
      const base = parseDateAt({ ...context, isCertain: true }, next);
      return base && { expression: { is: 'since', base: base.expression }, end: base.end };
    }
    case 'from':
      return explicitSpan({ ...context, isCertain: true }, next);
    case 'between':
      return explicitSpan({ ...context, isCertain: true, connectors: betweenJoins }, next);
  }
}

/** "from May to July", "between 3 and 7 May": null without an end. */
function explicitSpan(context: DateParserState, at: number): ParsedDate | null {
  const token = tokenAt(context, at);
  const first = oneDate(context, at, token);
  if (!first || first.expression.is === 'span') return first;
  return secondEnd(context, first, () => true);
}

/** "May to July 2022": without "from", both ends must have the same kind. */
function spanFrom(context: DateParserState, first: ParsedDate): ParsedDate | null {
  if (context.connectors === betweenJoins) return null;
  const kind = kindOf(first.expression);
  if (kind === null || !context.connectors.has(textAt(context, first.end))) return null;
  return secondEnd(context, first, (last) => kindOf(last) === kind);
}

function secondEnd(
  context: DateParserState,
  first: ParsedDate,
  fits: (last: DateExpression) => boolean,
): ParsedDate | null {
  if (!context.connectors.has(textAt(context, first.end))) return null;
  const next = skipOptional(context, first.end + 1, 'the');
  const last = oneDate({ ...context, isCertain: true }, next, tokenAt(context, next));
  if (!last || !fits(last.expression)) return null;
  return {
    expression: { is: 'span', first: first.expression, last: last.expression },
    end: last.end,
  };
}

function kindOf(expression: DateExpression): string | null {
  if (expression.is === 'season' || expression.is === 'decade' || expression.is === 'exact')
    return expression.is;
  if (expression.is !== 'calendar') return null;
  if (expression.day !== null) return 'day';
  return expression.month === null ? 'year' : 'month';
}

/** "yesterday morning", "Monday night". */
function withDayPart(context: DateParserState, found: ParsedDate): ParsedDate {
  const { meaning } = tokenAt(context, found.end);
  const { expression } = found;
  const day =
    expression.is === 'weekday' ||
    expression.is === 'weekdayOf' ||
    (expression.is === 'unit' && expression.unit === 'day') ||
    (expression.is === 'calendar' && expression.day !== null);
  if (meaning?.is !== 'dayPart' || !day) return found;
  return {
    expression: { is: 'dayPart', part: meaning.part, base: expression },
    end: found.end + 1,
  };
}

function oneDate(context: DateParserState, at: number, token: Token): ParsedDate | null {
  if (token.kind === 'stamp') {
    const expression = parseTimestamp(token.text);
    return expression && { expression, end: at + 1 };
  }
  if (token.kind === 'number') return parseNumbered(context, at, token);
  if (isTick(token.text)) return parseApostropheYear(context, at);
  switch (token.meaning?.is) {
    case 'month':
      return parseMonthFirstDate(context, at);
    case 'weekday':
      return parseWeekday(context, at, parseDateAt);
    case 'unit':
      return parseUnitDate(context, at, parseDateAt);
    case 'season':
      return parseSeason(context, at);
    case 'number':
      return parseDateByDistance(context, at, parseDateAt);
    case 'ordinal':
      return parseOrdinalDate(context, at, parseDateAt);
    case 'quarter':
      return parseQuarter(context, at);
    case 'shift':
      return parseLastOrNextDate(context, at, parseDateAt);
    case 'day':
      return dayWord(context, at);
    case 'dayPart':
      return parseDayPart(context, at, parseDateAt);
    case 'part':
      return parsePeriodPart(context, at);
    case 'decade':
      return decade(context, at, token.meaning.year, at + 1);
    case 'feast':
      return parseHoliday(context, at);
    default:
      return null;
  }
}

function parseNumbered(context: DateParserState, at: number, token: Token): ParsedDate | null {
  const touched = token.isAttached && '.$€£#+'.includes(textAt(context, at - 1));
  const whole = touched ? null : parseNumericDate(token);
  if (whole) return { expression: whole, end: at + 1 };
  return (
    parseDayFirstDate(context, at) ??
    parseOrdinalDate(context, at, parseDateAt) ??
    parseDateByDistance(context, at, parseDateAt) ??
    parseDecade(context, at, token) ??
    parseLeadingYear(context, at) ??
    parseLoneDayOfMonth(context, at)
  );
}

/** "2019", and "2024 Q3". */
function parseLeadingYear(context: DateParserState, at: number): ParsedDate | null {
  const year = parseBareYear(context, at);
  if (year === null) return null;
  const { meaning } = tokenAt(context, at + 1);
  if (meaning?.is !== 'quarter') return { expression: calendarDate({ year }), end: at + 1 };
  const { month, months } = meaning;
  return {
    expression: { is: 'season', month, months, year, yearBy: null, which: 'near' },
    end: at + 2,
  };
}

/** "1980s", "the 90s", "the '90s", "1980's". */
function parseDecade(context: DateParserState, at: number, token: Token): ParsedDate | null {
  if (!/^(?:1[5-9]|20)?\d0$/.test(token.text) || token.text === '00') return null;
  const ticked = isTick(textAt(context, at + 1)) && textAt(context, at + 2) === 's';
  const glued = tokenAt(context, at + 1).isAttached && tokenAt(context, at + 2).isAttached;
  if (token.suffix === 's') return decade(context, at, Number(token.text), at + 1);
  if (token.suffix !== '' || !ticked || !glued) return null;
  return decade(context, at, Number(token.text), at + 3);
}

const possessives = new Set('his her my your their our its'.split(' '));
const partWords = new Set("early mid late - ' ’ ‘".split(' '));

/** Two digits or a word require "the" or "early": "in her twenties" is an age. */
function decade(
  context: DateParserState,
  at: number,
  year: number,
  end: number,
): ParsedDate | null {
  const found: ParsedDate = { expression: { is: 'decade', year }, end };
  if (year >= 1_000) return found;
  let before = at - 1;
  while (before > at - 4 && partWords.has(textAt(context, before))) before -= 1;
  if (possessives.has(textAt(context, before))) return null;
  const parted = textAt(context, before + 1);
  const stands = textAt(context, before) === 'the' || ['early', 'mid', 'late'].includes(parted);
  const degrees = ['°', 'degrees', 'fahrenheit', 'f'].includes(textAt(context, end));
  return stands && !degrees ? found : null;
}

function dayWord(context: DateParserState, at: number): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  // "USA Today" is a newspaper.
  if (meaning?.is !== 'day' || textAt(context, at - 1) === 'usa') return null;
  if (meaning.night)
    return { expression: { is: 'dayPart', part: 'night', base: todayExpression }, end: at + 1 };
  return { expression: { is: 'unit', unit: 'day', by: meaning.by }, end: at + 1 };
}

/** "early June", "mid-July", "late in 2019", "the end of the year". */
function parsePeriodPart(context: DateParserState, at: number): ParsedDate | null {
  const { meaning } = tokenAt(context, at);
  if (meaning?.is !== 'part') return null;
  const of = textAt(context, at + 1) === 'of';
  if (meaning.of && !of) return null;
  const next = meaning.of ? at + 2 : skipOptional(context, at + 1, '-', 'in');
  const base = parseDateAfterOf(context, next, parseDateAt);
  return (
    base && { expression: { is: 'part', part: meaning.part, base: base.expression }, end: base.end }
  );
}
