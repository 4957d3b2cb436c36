import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeRanges } from './time-ranges.ts';

const range = fc
  .tuple(fc.nat(20), fc.nat(5))
  .map(([from, length]) => ({ from, to: from + length }));
const ranges = fc.array(range, { maxLength: 4 });

describe('the time ranges of documents', () => {
  it('are those that were added, however many follow, until the document is dead', () => {
    fc.assert(
      fc.property(fc.array(ranges, { maxLength: 30 }), ranges, fc.nat(29), (all, asked, dead) => {
        const stored = new TimeRanges();
        for (const own of all) {
          stored.push(Float64Array.from(own.flatMap(({ from, to }) => [from, to])));
        }
        if (dead < all.length) stored.clear(dead);
        for (const [document, own] of all.entries()) {
          const expected = document === dead ? [] : own;
          const values = expected.flatMap(({ from, to }) => [from, to]);
          expect([...(stored.get(document) ?? [])]).toEqual(values);
          expect(stored.overlap(document, asked)).toBe(
            expected.some((one) => asked.some(({ from, to }) => one.from < to && from < one.to)),
          );
        }
      }),
    );
  });
});
