import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredProcess } from './rendezvous.ts';

const accounts = Array.from({ length: 10_000 }, (_, i) => `account-${i}`);
const choicesOf = (processes: readonly string[]) =>
  accounts.map((account) => preferredProcess(account, processes));
const processIds = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 });

describe('the preferred process of an account', () => {
  it('is the same whatever the order in which a process knows the others', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        processIds.chain((ids) =>
          fc.tuple(
            fc.constant(ids),
            fc.shuffledSubarray(ids, { minLength: ids.length, maxLength: ids.length }),
          ),
        ),
        (account, [ids, shuffled]) => {
          expect(preferredProcess(account, shuffled)).toBe(preferredProcess(account, ids));
        },
      ),
    );
  });

  it('changes only for accounts of a process that leaves, or to one that joins', () => {
    fc.assert(
      fc.property(fc.uuid(), processIds, fc.uuid(), (account, ids, joining) => {
        const before = preferredProcess(account, ids);
        expect([before, joining]).toContain(preferredProcess(account, [...ids, joining]));
        const left = ids.filter((id) => id !== before).slice(1);
        expect(preferredProcess(account, [before ?? '', ...left])).toBe(before);
      }),
    );
  });

  it('is undefined without a process', () => {
    expect(preferredProcess('account', [])).toBeUndefined();
  });

  it.each([2, 3, 7])('gives each of %i processes its share of 10,000 accounts', (count) => {
    const processes = Array.from({ length: count }, (_, i) => `process-${i}`);
    const groups = Map.groupBy(choicesOf(processes), (id) => id);
    const share = accounts.length / count;
    expect(groups.size).toBe(count);
    // Four standard deviations of a binomial distribution.
    const deviation = 4 * Math.sqrt(share * (1 - 1 / count));
    for (const { length } of groups.values()) {
      expect(Math.abs(length - share)).toBeLessThan(deviation);
    }
  });
});
