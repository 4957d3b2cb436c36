import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchBySize } from './batches.ts';

it('preserves the order, and limits each batch to the size or to one item', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 })), fc.integer({ min: 1, max: 40 }), (sizes, max) => {
      const batches = [...batchBySize(sizes, (size) => size, max)];
      expect(batches.flat()).toEqual(sizes);
      for (const batch of batches) {
        const size = batch.reduce((all, one) => all + one, 0);
        expect(size <= max || batch.length === 1).toBe(true);
      }
    }),
  );
});

it('groups small items', () => {
  expect([...batchBySize([1, 2, 3, 4], (size) => size, 6)]).toEqual([[1, 2, 3], [4]]);
});
