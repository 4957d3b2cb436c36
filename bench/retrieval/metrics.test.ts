import { expect, test } from 'vitest';
import {
  anyHitAt,
  type JudgedRanking,
  mean,
  metricsOf,
  ndcgAt,
  recallAt,
  reciprocalRank,
} from './metrics.ts';

const judged = (found: string, relevant: Record<string, number>): JudgedRanking => ({
  ranked: [...found],
  relevant: new Map(Object.entries(relevant)),
});

test('recall is the share of the relevant among the first k', () => {
  const one = judged('abcdef', { b: 1, f: 1, z: 1 });
  expect(recallAt(one, 1)).toBe(0);
  expect(recallAt(one, 5)).toBeCloseTo(1 / 3, 12);
  expect(recallAt(one, 6)).toBeCloseTo(2 / 3, 12);
  expect(anyHitAt(one, 1)).toBe(0);
  expect(anyHitAt(one, 2)).toBe(1);
});

test('a memory that is found twice counts once', () => {
  expect(recallAt(judged('aab', { a: 1, b: 1 }), 2)).toBe(0.5);
});

test('the reciprocal rank is that of the first relevant one, 0 without any', () => {
  expect(reciprocalRank(judged('abcd', { d: 1, c: 1 }))).toBeCloseTo(1 / 3, 12);
  expect(reciprocalRank(judged('abcd', { z: 1 }))).toBe(0);
});

test('nDCG discounts by place and gains 2^grade − 1, against the best order there is', () => {
  const one = judged('axb', { a: 1, b: 2 });
  const gained = 1 / Math.log2(2) + 3 / Math.log2(4);
  const ideal = 3 / Math.log2(2) + 1 / Math.log2(3);
  expect(ndcgAt(one, 10)).toBeCloseTo(gained / ideal, 12);
  expect(ndcgAt(one, 10)).toBeCloseTo(0.688529, 6);
  expect(ndcgAt(one, 2)).toBeCloseTo(1 / ideal, 12);
  expect(ndcgAt(judged('ba', { a: 1, b: 2 }), 10)).toBe(1);
  expect(ndcgAt(judged('', { a: 1 }), 10)).toBe(0);
});

test('the metrics are means over questions', () => {
  const metrics = metricsOf([judged('ab', { a: 1 }), judged('ab', { b: 1, c: 1 })]);
  expect(metrics).toMatchObject({ count: 2, recall5: 0.75, recall10: 0.75, any10: 1, mrr: 0.75 });
  expect(() => mean([])).toThrow('no values');
});
