import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PostingCursor } from './posting-cursor.ts';

const range = fc.tuple(fc.nat(220), fc.nat(12));

describe('PostingCursor', () => {
  it('finds what a list has of any passages, in any order of requests', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(200), { maxLength: 60 }),
        fc.array(range, { minLength: 1, maxLength: 40 }),
        (numbers, ranges) => {
          const passages = Int32Array.from(numbers).sort();
          const cursor = new PostingCursor({
            passages,
            counts: Uint8Array.from(passages, (passage) => 1 + (passage % 3)),
          });
          for (const [from, length] of ranges) {
            const end = from + length;
            const found: [number, number][] = [];
            cursor.eachIn(from, end, (passage, count) => found.push([passage, count]));
            const expected = [...passages]
              .filter((passage) => passage >= from && passage < end)
              .map((passage): [number, number] => [passage, 1 + (passage % 3)]);
            expect(found).toEqual(expected);
            const sum = expected.reduce((total, [, count]) => total + count, 0);
            expect(cursor.countIn(from, end)).toBe(sum);
          }
        },
      ),
    );
  });
});
