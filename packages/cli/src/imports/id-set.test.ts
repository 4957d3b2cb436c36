import { expect, test } from 'vitest';
import { IdSet } from './id-set.ts';

test('a set of ids knows each of them after it has grown', () => {
  const ids = new IdSet();
  const names = Array.from({ length: 5_000 }, (_, i) => `message ${i}`);
  expect(names.every((name) => ids.add(name))).toBe(true);
  expect(names.some((name) => ids.add(name))).toBe(false);
  expect(ids.add('another')).toBe(true);
});
