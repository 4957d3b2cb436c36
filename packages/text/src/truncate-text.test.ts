import { expect, test } from 'vitest';
import { truncateText } from './truncate-text.ts';

test('the beginning ends at a space, and never within a sign', () => {
  expect(truncateText('short')).toBe('short');
  expect(truncateText('in 2026 '.repeat(10_000))).toMatch(/^(?:in 2026 )+$|in $/);
  expect(truncateText('in 2026 '.repeat(10_000)).length).toBeLessThanOrEqual(20_000);
  const signs = truncateText(`x${'😀'.repeat(20_000)}`);
  expect(signs.isWellFormed()).toBe(true);
  expect(signs.length).toBe(19_999);
});
