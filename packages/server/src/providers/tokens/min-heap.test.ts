import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MinHeap } from './min-heap.ts';

it('returns the least of its numbers, whatever is added and removed', () => {
  const steps = fc.array(fc.option(fc.integer(), { freq: 2 }), { maxLength: 300 });
  fc.assert(
    fc.property(steps, (numbers) => {
      const heap = new MinHeap();
      const kept: number[] = [];
      for (const number of numbers) {
        if (number === null) {
          kept.sort((a, b) => a - b);
          expect(heap.pop()).toBe(kept.shift());
        } else {
          heap.push(number);
          kept.push(number);
        }
      }
    }),
  );
});
