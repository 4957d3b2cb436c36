import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../../../../../test/support/run-count.ts';
import { threadNumberOf } from './search-threads.ts';

/** Of accounts that were created together or by chance: ids share their beginnings or not. */
const accountIds = fc
  .tuple(fc.uuid(), fc.boolean(), fc.integer({ min: 0, max: 2 ** 32 - 5_000 }))
  .map(([id, isSequence, from]) =>
    Array.from({ length: 4_000 }, (_, i) => {
      const number = isSequence ? from + i : (from + i * 2_654_435_761) % 2 ** 32;
      return id.slice(0, -8) + number.toString(16).padStart(8, '0');
    }),
  );
const threadCounts = fc.integer({ min: 1, max: 64 });

describe('the thread of an account', () => {
  it('is one of those that there are, each with its share of the accounts', () => {
    fc.assert(
      fc.property(accountIds, threadCounts, (ids, count) => {
        const accounts = new Array<number>(count).fill(0);
        for (const id of ids) {
          const number = threadNumberOf(id, count);
          accounts[number] = (accounts[number] as number) + 1;
        }
        const share = ids.length / count;
        // Six standard deviations of a fair division.
        const tolerance = 6 * Math.sqrt(share);
        for (const own of accounts) expect(Math.abs(own - share)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: runCount(20, 500), seed: testSeed },
    );
  });

  it('stays the same, in each process and version', () => {
    const ids = ['0198c5f0-7b3e-7000-8000-000000000001', '0198c5f0-7b3e-7000-8000-000000000002'];
    const numbers = ids.map((id) => [1, 2, 3, 64].map((count) => threadNumberOf(id, count)));
    expect(numbers).toEqual([
      [0, 0, 0, 54],
      [0, 1, 2, 15],
    ]);
  });
});
