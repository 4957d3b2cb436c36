import type { ParsedDate } from './calendar-date.ts';
import type { DateExpression, Unit } from './date-expression.ts';
import { parseTimeUnit } from './quantity.ts';
import { type DateContext, textAt, tokenAt } from './tokens.ts';

/** Reads the date that begins at a place; passed in, since dates stand within dates. */
export type DateParser = (reading: DateContext, at: number) => ParsedDate | null;

export const calendarUnits: readonly Unit[] = ['week', 'month', 'quarter', 'year', 'decade'];

/** The date behind "of", where "the year" is this one. */
export function parseBaseDate(
  reading: DateContext,
  at: number,
  dateAt: DateParser,
): ParsedDate | null {
  const certain = { ...reading, isCertain: true };
  if (textAt(reading, at) !== 'the') return dateAt(certain, at);
  const unit = parseTimeUnit(reading, at + 1);
  const date = dateAt(certain, at + 1);
  if (date || !unit || !calendarUnits.includes(unit.unit) || unit.plural) return date;
  return { expression: { is: 'unit', unit: unit.unit, by: 0 }, end: at + 2 };
}

/** "the other day". */
export function parseOtherDay(reading: DateContext, at: number): ParsedDate | null {
  if (textAt(reading, at - 1) !== 'the') return null;
  const { meaning } = tokenAt(reading, at + 1);
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
