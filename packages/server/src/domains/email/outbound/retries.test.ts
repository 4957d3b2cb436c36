import { expect, it } from 'vitest';
import { nextAttemptTime } from './retries.ts';

const now = new Date('2026-01-05T09:30:00Z');
const delays = (fraction: number): (number | null)[] =>
  Array.from({ length: 9 }, (_, i) => {
    const at = nextAttemptTime(i + 1, now, fraction);
    return at && (at.getTime() - now.getTime()) / 1_000;
  });

it('a mail is tried eight times within two days, a tenth sooner or later', () => {
  expect(delays(0.5)).toEqual([60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, null, null]);
  expect(delays(0)[0]).toBe(54);
  expect(delays(1)[0]).toBe(66);
});
