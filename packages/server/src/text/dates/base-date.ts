import type { ParsedDate } from './calendar-date.ts';
import type { Unit } from './date-expression.ts';
import { parseTimeUnit } from './quantity.ts';
import { type DateContext, textAt } from './tokens.ts';

/** Reads the date that begins at a place; passed in, since dates stand within dates. */
export type DateParser = (reading: DateContext, at: number) => ParsedDate | null;

export const calendarUnits: readonly Unit[] = ['week', 'month', 'quarter', 'year', 'decade'];

/** The date behind "of", where "the year" is this one. */
export function parseBaseDate(
  reading: DateContext,
  at: number,
  dateAt: DateParser,
): ParsedDate | null {
  const sure = { ...reading, sure: true };
  if (textAt(reading, at) !== 'the') return dateAt(sure, at);
  const unit = parseTimeUnit(reading, at + 1);
  const date = dateAt(sure, at + 1);
  if (date || !unit || !calendarUnits.includes(unit.unit) || unit.plural) return date;
  return { said: { is: 'unit', unit: unit.unit, by: 0 }, end: at + 2 };
}
