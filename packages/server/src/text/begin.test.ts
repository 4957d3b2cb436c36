import { expect, test } from 'vitest';
import { beginOf } from './begin.ts';

test('the beginning ends at a space, and never within a sign', () => {
  expect(beginOf('short')).toBe('short');
  expect(beginOf('in 2026 '.repeat(10_000))).toMatch(/^(?:in 2026 )+$|in $/);
  expect(beginOf('in 2026 '.repeat(10_000)).length).toBeLessThanOrEqual(20_000);
  const signs = beginOf(`x${'😀'.repeat(20_000)}`);
  expect(signs.isWellFormed()).toBe(true);
  expect(signs.length).toBe(19_999);
});
