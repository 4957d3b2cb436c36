import { expect, it } from 'vitest';
import { lastScheduledTime, nextScheduledTime } from './schedule.ts';

/** In March 2026, which starts on a Sunday. */
const at = (text: string): Date => new Date(`2026-03-${text}Z`);

it.each([
  ['30 3 * * *', '01T03:29:59', '01T03:29:59', null],
  ['30 3 * * *', '01T03:29:59', '01T03:30:00', '01T03:30:00'],
  ['30 3 * * *', '01T03:30:00', '02T03:29:59', null],
  ['30 3 * * *', '01T03:30:00', '02T23:59:00', '02T03:30:00'],
  ['30 3 * * *', '02T03:30:00', '02T23:59:00', null],
  // Of several missed times only the last one is due.
  ['0 * * * *', '01T00:00:00', '03T10:20:00', '03T10:00:00'],
  ['0 0 * * 1', '01T00:00:00', '08T00:00:00', '02T00:00:00'],
])('%s, last at %s: due at %s is %s', (expression, after, now, due) => {
  expect(lastScheduledTime(expression, at(after), at(now))).toEqual(due === null ? null : at(due));
});

it('returns the next time', () => {
  expect(nextScheduledTime('30 3 * * *', at('01T03:30:00'))).toEqual(at('02T03:30:00'));
});
