import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countMax, Postings } from './postings.ts';

/** For successive passages: the list (of a few) that contains each, and the count. */
const pushes = fc.array(
  fc.record({
    list: fc.nat(4),
    count: fc.constantFrom(1, 2, 9, 255, 256, 70_000),
    times: fc.nat(40),
  }),
  { maxLength: 30 },
);

describe('postings', () => {
  it('contain what was pushed to each list, however the others grew', () => {
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
            plain[list]?.counts.push(Math.min(count, countMax));
          }
        }
        for (const [list, { passages, counts }] of plain.entries()) {
          const expected = postings.get(list);
          expect([...expected.passages]).toEqual(passages);
          expect([...expected.counts]).toEqual(counts);
        }
      }),
    );
  });
});
