import { expect, it } from 'vitest';
import { formatDay } from './format-day.ts';

it.each([
  ['2026-03-01T00:00:00.000Z', 'America/New_York', 'Mar 1, 2026'],
  ['2026-03-01T03:00:00.000Z', 'America/New_York', 'Feb 28, 2026'],
  ['2026-03-01T00:00:00.000Z', 'Pacific/Auckland', 'Mar 1, 2026'],
  ['2026-03-01T12:00:00.000Z', 'Pacific/Auckland', 'Mar 2, 2026'],
])('%s in %s is %s', (value, timeZone, expected) => {
  expect(formatDay(value, { locale: 'en-US', timeZone })).toBe(expected);
});
