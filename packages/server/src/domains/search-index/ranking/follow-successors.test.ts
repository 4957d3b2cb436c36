import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followSuccessors } from './follow-successors.ts';

const count = 8;
const document = fc.nat({ max: count - 1 });
/** Values of documents, which of them match, and for each what holds instead of it. */
const cases = fc.record({
  values: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: count, maxLength: count }),
  matching: fc.uniqueArray(document, { minLength: 1 }),
  leaders: fc.array(fc.uniqueArray(document, { maxLength: 3 }), {
    minLength: count,
    maxLength: count,
  }),
  dropsSuperseded: fc.boolean(),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function follow({ values, leaders, dropsSuperseded }: Case, documents: readonly number[]) {
  const leadersOf = (one: number): number[] =>
    (leaders[one] as number[]).filter((leader) => leader !== one);
  const sorted = {
    documents: Int32Array.from(documents),
    sortValues: Float64Array.from(documents, (one) => values[one] as number),
  };
  const followed = followSuccessors(sorted, {
    succession: { leaders: leadersOf, isSuperseded: (one) => one % 2 === 0 },
    passes: (one) => one !== 1,
    evidence: (one) => values[one] as number,
    dropsSuperseded,
    compare: (a, b) => a - b,
  });
  const placed = [...followed.documents].map((one, i) => [one, followed.sortValues[i]] as const);
  return { values: new Map(placed), shifts: followed.shifts };
}

const inOrder = <K>(map: ReadonlyMap<number, K>) => [...map].sort(([a], [b]) => a - b);

describe('following what holds instead of documents', () => {
  it('does not depend on the order of the documents', () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.nat()), (one, numbers) => {
        const shuffled = one.matching
          .map((each) => [numbers.next().value, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
        const [first, second] = [follow(one, one.matching), follow(one, shuffled)];
        expect(inOrder(first.values)).toEqual(inOrder(second.values));
        expect(inOrder(first.shifts)).toEqual(inOrder(second.shifts));
      }),
    );
  });

  it('puts each document behind all that hold instead of it, over any number of steps', () => {
    fc.assert(
      fc.property(cases, (one) => {
        // What holds instead of a document has a greater number: there are no cycles.
        const leaders = one.leaders.map((all, i) => all.filter((leader) => leader > i));
        const { values } = follow({ ...one, leaders, dropsSuperseded: false }, one.matching);
        for (const each of one.matching) {
          for (const leader of leaders[each] as number[]) {
            if (leader === 1) continue; // may be no result
            expect(values.get(leader)).toBeGreaterThan(values.get(each) as number);
          }
        }
      }),
    );
  });

  it('keeps values finite, also of cycles and where outdated documents are left out', () => {
    fc.assert(
      fc.property(cases, (one) => {
        for (const value of follow(one, one.matching).values.values()) {
          expect(Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });
});
