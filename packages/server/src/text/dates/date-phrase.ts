import { parseBaseDate } from './base-date.ts';
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
  parseOtherDay,
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
  return parseDateAt({ tokens, sure: false, joins, aim, depth: 0 }, at);
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
      const base = parseDateAt({ ...reading, sure: true }, next);
      return base && { said: { is: 'since', base: base.said }, end: base.end };
    }
    case 'from':
      return explicitSpan({ ...reading, sure: true }, next);
    case 'between':
      return explicitSpan({ ...reading, sure: true, joins: betweenJoins }, next);
  }
}

/** "from May to July", "between 3 and 7 May": null without its second end. */
function explicitSpan(reading: DateContext, at: number): ParsedDate | null {
  const token = tokenAt(reading, at);
  const first = oneDate(reading, at, token);
  if (!first || first.said.is === 'span') return first;
  return secondEnd(reading, first, () => true);
}

/** "May to July 2022": without "from", both ends must be of one kind. */
function spanFrom(reading: DateContext, first: ParsedDate): ParsedDate | null {
  if (reading.joins === betweenJoins) return null;
  const kind = kindOf(first.said);
  if (kind === null || !reading.joins.has(textAt(reading, first.end))) return null;
  return secondEnd(reading, first, (last) => kindOf(last) === kind);
}

function secondEnd(
  reading: DateContext,
  first: ParsedDate,
  fits: (last: DateExpression) => boolean,
): ParsedDate | null {
  if (!reading.joins.has(textAt(reading, first.end))) return null;
  const next = skipOptional(reading, first.end + 1, 'the');
  const last = oneDate({ ...reading, sure: true }, next, tokenAt(reading, next));
  if (!last || !fits(last.said)) return null;
  return { said: { is: 'span', first: first.said, last: last.said }, end: last.end };
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
  const { said } = found;
  const day =
    said.is === 'weekday' ||
    said.is === 'weekdayOf' ||
    (said.is === 'unit' && said.unit === 'day') ||
    (said.is === 'calendar' && said.day !== null);
  if (meaning?.is !== 'dayPart' || !day) return found;
  return { said: { is: 'dayPart', part: meaning.part, base: said }, end: found.end + 1 };
}

function oneDate(reading: DateContext, at: number, token: Token): ParsedDate | null {
  if (token.kind === 'stamp') {
    const said = parseTimestamp(token.text);
    return said && { said, end: at + 1 };
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
  const touched = token.glued && '.$€£#+'.includes(textAt(reading, at - 1));
  const whole = touched ? null : parseNumericDate(token);
  if (whole) return { said: whole, end: at + 1 };
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
  if (meaning?.is !== 'quarter') return { said: calendarDate({ year }), end: at + 1 };
  const { month, months } = meaning;
  return { said: { is: 'season', month, months, year, yearBy: null, which: 'near' }, end: at + 2 };
}

/** "1980s", "the 90s", "the '90s", "1980's". */
function parseDecade(reading: DateContext, at: number, token: Token): ParsedDate | null {
  if (!/^(?:1[5-9]|20)?\d0$/.test(token.text) || token.text === '00') return null;
  const ticked = isTick(textAt(reading, at + 1)) && textAt(reading, at + 2) === 's';
  const glued = tokenAt(reading, at + 1).glued && tokenAt(reading, at + 2).glued;
  if (token.suffix === 's') return decade(reading, at, Number(token.text), at + 1);
  if (token.suffix !== '' || !ticked || !glued) return null;
  return decade(reading, at, Number(token.text), at + 3);
}

const possessives = new Set('his her my your their our its'.split(' '));
const partWords = new Set("early mid late - ' ’ ‘".split(' '));

/** Two digits or a word need "the" or "early": "in her twenties" is an age. */
function decade(reading: DateContext, at: number, year: number, end: number): ParsedDate | null {
  const found: ParsedDate = { said: { is: 'decade', year }, end };
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
    return { said: { is: 'dayPart', part: 'night', base: todayExpression }, end: at + 1 };
  return { said: { is: 'unit', unit: 'day', by: meaning.by }, end: at + 1 };
}

/** "early June", "mid-July", "late in 2019", "the end of the year". */
function parsePeriodPart(reading: DateContext, at: number): ParsedDate | null {
  const { meaning } = tokenAt(reading, at);
  if (meaning?.is !== 'part') return null;
  const of = textAt(reading, at + 1) === 'of';
  if (meaning.of && !of) return null;
  const next = meaning.of ? at + 2 : skipOptional(reading, at + 1, '-', 'in');
  const base = parseBaseDate(reading, next, parseDateAt);
  return base && { said: { is: 'part', part: meaning.part, base: base.said }, end: base.end };
}
