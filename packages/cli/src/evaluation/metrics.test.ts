import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectedCalibrationError,
  mean,
  ndcgAt,
  nearestRankPercentile,
  recallAt,
  reciprocalRank,
  reliabilityBuckets,
} from './metrics.ts';

describe('metrics of ranks', () => {
  // By hand: 1/log2(2) = 1, 1/log2(3) = .6309, 1/log2(4) = .5, 1/log2(6) = .3869.
  it.each([
    { ranks: [1], recall1: 1, recall5: 1, rr: 1, ndcg: 1 },
    { ranks: [2], recall1: 0, recall5: 1, rr: 1 / 2, ndcg: 0.6309 },
    { ranks: [null], recall1: 0, recall5: 0, rr: 0, ndcg: 0 },
    { ranks: [11], recall1: 0, recall5: 0, rr: 1 / 11, ndcg: 0 },
    { ranks: [1, 3], recall1: 1 / 2, recall5: 1, rr: 1, ndcg: 1.5 / 1.6309 },
    { ranks: [5, null], recall1: 0, recall5: 1 / 2, rr: 1 / 5, ndcg: 0.3869 / 1.6309 },
    { ranks: [3, 2, 6], recall1: 0, recall5: 2 / 3, rr: 1 / 2, ndcg: 1.4871 / 2.1309 },
    // One result is both of the expected memories: nothing could be ranked better.
    { ranks: [1, 1], recall1: 1, recall5: 1, rr: 1, ndcg: 1 },
  ])('of the ranks $ranks are as computed by hand', ({ ranks, recall1, recall5, rr, ndcg }) => {
    expect(recallAt({ ranks }, 1)).toBeCloseTo(recall1, 10);
    expect(recallAt({ ranks }, 5)).toBeCloseTo(recall5, 10);
    expect(reciprocalRank({ ranks })).toBeCloseTo(rr, 10);
    expect(ndcgAt({ ranks }, 10)).toBeCloseTo(ndcg, 3);
  });

  const rank = fc.option(fc.integer({ min: 1, max: 20 }), { nil: null });
  const someRanks = fc.array(rank, { minLength: 1, maxLength: 8 });

  it('are from 0 to 1, and recall does not fall with k', () => {
    fc.assert(
      fc.property(someRanks, fc.integer({ min: 1, max: 20 }), (ranks, k) => {
        const outcome = { ranks };
        for (const value of [recallAt(outcome, k), reciprocalRank(outcome), ndcgAt(outcome, k)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect(recallAt(outcome, k + 1)).toBeGreaterThanOrEqual(recallAt(outcome, k));
      }),
    );
  });

  it('do not fall when a memory moves up to a free rank', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 15 }), { minLength: 1 }), (ranks) => {
        const moved = [1, ...ranks.slice(1)];
        for (const metric of [
          (found: number[]) => recallAt({ ranks: found }, 5),
          (found: number[]) => reciprocalRank({ ranks: found }),
          (found: number[]) => ndcgAt({ ranks: found }, 10),
        ]) {
          expect(metric(moved)).toBeGreaterThanOrEqual(metric(ranks));
        }
      }),
    );
  });

  it('do not depend on the order of the expected memories', () => {
    fc.assert(
      fc.property(someRanks, (ranks) => {
        const reversed = ranks.toReversed();
        expect(ndcgAt({ ranks: reversed }, 10)).toBeCloseTo(ndcgAt({ ranks }, 10), 10);
        expect(reciprocalRank({ ranks: reversed })).toBe(reciprocalRank({ ranks }));
      }),
    );
  });
});

describe('calibration', () => {
  const results = [
    { score: 0.95, is_hit: true },
    { score: 0.91, is_hit: false },
    { score: 0.42, is_hit: true },
    { score: 0, is_hit: false },
  ];

  it('compares scores with hits per bucket, as computed by hand', () => {
    expect(reliabilityBuckets(results)).toEqual([
      { from: 0, to: 0.1, count: 1, mean_score: 0, hit_rate: 0 },
      { from: 0.4, to: 0.5, count: 1, mean_score: 0.42, hit_rate: 1 },
      { from: 0.9, to: 1, count: 2, mean_score: expect.closeTo(0.93, 10), hit_rate: 0.5 },
    ]);
    // 1/4 × 0 + 1/4 × .58 + 2/4 × .43
    expect(expectedCalibrationError(results)).toBeCloseTo(0.36, 10);
    expect(expectedCalibrationError([])).toBeNull();
  });

  it('counts a score of 1 in the last bucket', () => {
    expect(reliabilityBuckets([{ score: 1, is_hit: true }])).toMatchObject([{ from: 0.9, to: 1 }]);
  });

  const scored = fc.record({
    score: fc.float({ min: 0, max: 1, noNaN: true }),
    is_hit: fc.boolean(),
  });

  it('has every result in one bucket, and an error from 0 to 1', () => {
    fc.assert(
      fc.property(fc.array(scored, { minLength: 1 }), (some) => {
        const buckets = reliabilityBuckets(some);
        expect(buckets.reduce((all, { count }) => all + count, 0)).toBe(some.length);
        for (const { from, to, mean_score } of buckets) {
          expect(mean_score).toBeGreaterThanOrEqual(from - 1e-9);
          expect(mean_score).toBeLessThanOrEqual(to + 1e-9);
        }
        const error = expectedCalibrationError(some) ?? -1;
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('has no error where each score is the share of hits', () => {
    const sure = [0, 1].map((score) => ({ score, is_hit: score === 1 }));
    expect(expectedCalibrationError(sure)).toBe(0);
  });
});

describe('statistics', () => {
  it.each([
    [[], 0.5, null],
    [[7], 0.95, 7],
    [[3, 1, 2], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95, 10],
  ])('takes the nearest rank of %j at %d', (values, share, expected) => {
    expect(nearestRankPercentile(values, share)).toBe(expected);
  });

  it('has no mean of nothing', () => {
    expect([mean([]), mean([1, 2])]).toEqual([null, 1.5]);
  });
});
