import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Postings } from './postings.ts';

/** In which of a few lists the passages after each other stand, and how often. */
const pushes = fc.array(
  fc.record({ list: fc.nat(4), count: fc.integer({ min: 1, max: 9 }), times: fc.nat(40) }),
  { maxLength: 30 },
);

describe('postings', () => {
  it('hold what was pushed to each list, however the others grew meanwhile', () => {
    fc.assert(
      fc.property(pushes, (some) => {
        const postings = new Postings();
        const plain = Array.from({ length: 5 }, () => ({ passages: [0], counts: [0] }));
        for (const list of plain.keys()) {
          expect(postings.add()).toBe(list);
          postings.push(list, 0, 0);
        }
        let passage = 0;
        for (const { list, count, times } of some) {
          for (let i = 0; i < times; i += 1) {
            passage += 1;
            postings.push(list, passage, count);
            plain[list]?.passages.push(passage);
            plain[list]?.counts.push(count);
          }
        }
        for (const [list, { passages, counts }] of plain.entries()) {
          const held = postings.get(list);
          expect([...held.passages]).toEqual(passages);
          expect([...held.counts]).toEqual(counts);
        }
      }),
    );
  });
});
