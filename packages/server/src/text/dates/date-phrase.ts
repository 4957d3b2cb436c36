import { parseBaseDate, parseOtherDay } from './base-date.ts';
import {
  type ParsedDate,
  parseApostropheYear,
  parseDayFirstDate,
  parseHoliday,
  parseLoneDay,
  parseMonthFirstDate,
  parseQuarter,
  parseSeason,
} from './calendar-date.ts';
import { calendarDate, type DateExpression, todayExpression } from './date-expression.ts';
import { parseNumericDate, parseTimestamp } from './numeric-date.ts';
import {
  parseDayPart,
  parseInQuantity,
  parseOrdinalDate,
  parseQuantity,
  parseShiftedDate,
  parseUnit,
  parseWeekday,
} from './relative-date.ts';
import {
  type DateContext,
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

/** The date or span that begins at a token, as long as it can be. */
export function parseDatePhrase(
  tokens: readonly Token[],
  at: number,
  aim: TextGenre = 'told',
): ParsedDate | null {
  return parseDateAt({ tokens, isCertain: false, connectors: joins, genre: aim, depth: 0 }, at);
}

function parseDateAt(outer: DateContext, at: number): ParsedDate | null {
  if (outer.depth >= depthMax) return null;
  const token = tokenAt(outer, at);
  if (!token.meaning && token.kind !== 'number' && token.kind !== 'stamp' && !isTick(token.text)) {
    return null;
  }
  const reading = { ...outer, depth: outer.depth + 1 };
  if (token.meaning?.is === 'link') return parseLinked(reading, at, token.meaning.link);
  const found = oneDate(reading, at, token);
  if (!found) return null;
  const whole = withDayPart(reading, found);
  return spanFrom(reading, whole) ?? whole;
}

const isTick = (text: string): boolean => text === "'" || text === '’' || text === '‘';

type Link = Extract<NonNullable<Token['meaning']>, { readonly is: 'link' }>['link'];

function parseLinked(reading: DateContext, at: number, link: Link): ParsedDate | null {
  const next = skipOptional(reading, at + 1, 'the');
  switch (link) {
    case 'in':
      return parseInQuantity(reading, at);
    case 'other':
      return parseOtherDay(reading, at);
    case 'since': {
      const base = parseDateAt({ ...reading, isCertain: true }, next);
      return base && { expression: { is: 'since', base: base.expression }, end: base.end };
    }
    case 'from':
      return explicitSpan({ ...reading, isCertain: true }, next);
    case 'between':
      return explicitSpan({ ...reading, isCertain: true, connectors: betweenJoins }, next);
  }
}

/** "from May to July", "between 3 and 7 May": null without its second end. */
function explicitSpan(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  const first = oneDate(reading, at, token);
  if (!first || first.expression.is === 'span') return first;
  return secondEnd(reading, first, () => true);
}

/** "May to July 2022": without "from", both ends must be of one kind. */
function spanFrom(reading: DateContext, first: ParsedDate): ParsedDate | null {
  if (reading.connectors === betweenJoins) return null;
  const kind = kindOf(first.expression);
  if (kind === null || !reading.connectors.has(textAt(reading, first.end))) return null;
  return secondEnd(reading, first, (last) => kindOf(last) === kind);
}

function secondEnd(
  reading: DateContext,
  first: ParsedDate,
  fits: (last: DateExpression) => boolean,
): ParsedDate | null {
  if (!reading.connectors.has(textAt(reading, first.end))) return null;
  const next = skipOptional(reading, first.end + 1, 'the');
  const last = oneDate({ ...reading, isCertain: true }, next, tokenAt(reading, next));
  if (!last || !fits(last.expression)) return null;
  return {
    expression: { is: 'span', first: first.expression, last: last.expression },
    end: last.end,
  };
}

function kindOf(said: DateExpression): string | null {
  if (said.is === 'season' || said.is === 'decade' || said.is === 'exact') return said.is;
  if (said.is !== 'calendar') return null;
  if (said.day !== null) return 'day';
  return said.month === null ? 'year' : 'month';
}

/** "yesterday morning", "Monday night". */
function withDayPart(reading: DateContext, found: ParsedDate): ParsedDate {
  const { meaning } = tokenAt(reading, found.end);
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

function oneDate(reading: DateContext, at: number, token: Token): ParsedDate | null {
  if (token.kind === 'stamp') {
    const said = parseTimestamp(token.text);
    return said && { expression: said, end: at + 1 };
  }
  if (token.kind === 'number') return parseNumbered(reading, at, token);
  if (isTick(token.text)) return parseApostropheYear(reading, at);
  switch (token.meaning?.is) {
    case 'month':
      return parseMonthFirstDate(reading, at);
    case 'weekday':
      return parseWeekday(reading, at, parseDateAt);
    case 'unit':
      return parseUnit(reading, at, parseDateAt);
    case 'season':
      return parseSeason(reading, at);
    case 'number':
      return parseQuantity(reading, at, parseDateAt);
    case 'ordinal':
      return parseOrdinalDate(reading, at, parseDateAt);
    case 'quarter':
      return parseQuarter(reading, at);
    case 'shift':
      return parseShiftedDate(reading, at, parseDateAt);
    case 'day':
      return dayWord(reading, at);
    case 'dayPart':
      return parseDayPart(reading, at, parseDateAt);
    case 'part':
      return parsePeriodPart(reading, at);
    case 'decade':
      return decade(reading, at, token.meaning.year, at + 1);
    case 'feast':
      return parseHoliday(reading, at);
    default:
      return null;
  }
}

function parseNumbered(reading: DateContext, at: number, token: Token): ParsedDate | null {
  const touched = token.isAttached && '.$€£#+'.includes(textAt(reading, at - 1));
  const whole = touched ? null : parseNumericDate(token);
  if (whole) return { expression: whole, end: at + 1 };
  return (
    parseDayFirstDate(reading, at) ??
    parseOrdinalDate(reading, at, parseDateAt) ??
    parseQuantity(reading, at, parseDateAt) ??
    parseDecade(reading, at, token) ??
    parseLeadingYear(reading, at) ??
    parseLoneDay(reading, at)
  );
}

/** "2019", and "2024 Q3". */
function parseLeadingYear(reading: DateContext, at: number): ParsedDate | null {
  const year = parseBareYear(reading, at);
  if (year === null) return null;
  const { meaning } = tokenAt(reading, at + 1);
  if (meaning?.is !== 'quarter') return { expression: calendarDate({ year }), end: at + 1 };
  const { month, months } = meaning;
  return {
    expression: { is: 'season', month, months, year, yearBy: null, which: 'near' },
    end: at + 2,
  };
}

/** "1980s", "the 90s", "the '90s", "1980's". */
function parseDecade(reading: DateContext, at: number, token: Token): ParsedDate | null {
  if (!/^(?:1[5-9]|20)?\d0$/.test(token.text) || token.text === '00') return null;
  const ticked = isTick(textAt(reading, at + 1)) && textAt(reading, at + 2) === 's';
  const glued = tokenAt(reading, at + 1).isAttached && tokenAt(reading, at + 2).isAttached;
  if (token.suffix === 's') return decade(reading, at, Number(token.text), at + 1);
  if (token.suffix !== '' || !ticked || !glued) return null;
  return decade(reading, at, Number(token.text), at + 3);
}

const possessives = new Set('his her my your their our its'.split(' '));
const partWords = new Set("early mid late - ' ’ ‘".split(' '));

/** Two digits or a word need "the" or "early": "in her twenties" is an age. */
function decade(reading: DateContext, at: number, year: number, end: number): ParsedDate | null {
  const found: ParsedDate = { expression: { is: 'decade', year }, end };
  if (year >= 1_000) return found;
  let before = at - 1;
  while (before > at - 4 && partWords.has(textAt(reading, before))) before -= 1;
  if (possessives.has(textAt(reading, before))) return null;
  const parted = textAt(reading, before + 1);
  const stands = textAt(reading, before) === 'the' || ['early', 'mid', 'late'].includes(parted);
  const degrees = ['°', 'degrees', 'fahrenheit', 'f'].includes(textAt(reading, end));
  return stands && !degrees ? found : null;
}

function dayWord(reading: DateContext, at: number): ParsedDate | null {
  const { meaning } = tokenAt(reading, at);
  // "USA Today" is a newspaper.
  if (meaning?.is !== 'day' || textAt(reading, at - 1) === 'usa') return null;
  if (meaning.night)
    return { expression: { is: 'dayPart', part: 'night', base: todayExpression }, end: at + 1 };
  return { expression: { is: 'unit', unit: 'day', by: meaning.by }, end: at + 1 };
}

/** "early June", "mid-July", "late in 2019", "the end of the year". */
function parsePeriodPart(reading: DateContext, at: number): ParsedDate | null {
  const { meaning } = tokenAt(reading, at);
  if (meaning?.is !== 'part') return null;
  const of = textAt(reading, at + 1) === 'of';
  if (meaning.of && !of) return null;
  const next = meaning.of ? at + 2 : skipOptional(reading, at + 1, '-', 'in');
  const base = parseBaseDate(reading, next, parseDateAt);
  return (
    base && { expression: { is: 'part', part: meaning.part, base: base.expression }, end: base.end }
  );
}
