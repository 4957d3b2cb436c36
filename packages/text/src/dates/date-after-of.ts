import type { ParsedDate } from './calendar-date.ts';
import type { DateExpression, TimeUnit } from './date-expression.ts';
import { parseTimeUnit } from './quantity.ts';
import { type DateParserState, textAt, tokenAt } from './tokens.ts';

/** Parses the date that starts at a token; passed as a parameter, since dates nest. */
export type DateParser = (context: DateParserState, at: number) => ParsedDate | null;

export const calendarUnits: readonly TimeUnit[] = ['week', 'month', 'quarter', 'year', 'decade'];

/** The date after "of", where "the year" is this year. */
export function parseDateAfterOf(
  context: DateParserState,
  at: number,
  parseDate: DateParser,
): ParsedDate | null {
  const certain = { ...context, isCertain: true };
  if (textAt(context, at) !== 'the') return parseDate(certain, at);
  const unit = parseTimeUnit(context, at + 1);
  const date = parseDate(certain, at + 1);
  if (date || !unit || !calendarUnits.includes(unit.unit) || unit.plural) return date;
  return { expression: { is: 'unit', unit: unit.unit, by: 0 }, end: at + 2 };
}

/** "the other day". */
export function parseTheOtherDay(context: DateParserState, at: number): ParsedDate | null {
  if (textAt(context, at - 1) !== 'the') return null;
  const { meaning } = tokenAt(context, at + 1);
  const end = at + 2;
  if (meaning?.is === 'dayPart') return { expression: days(2, 7), end };
  if (meaning?.is !== 'unit' || meaning.plural) return null;
  const { unit } = meaning;
  if (unit === 'day') return { expression: days(2, 7), end };
  if (unit !== 'week' && unit !== 'weekend') return null;
  return { expression: { is: 'away', amounts: [{ unit, low: 1, high: 3 }], sign: -1 }, end };
}

const days = (low: number, high: number): DateExpression => ({
  is: 'away',
  amounts: [{ unit: 'day', low, high }],
  sign: -1,
});
