import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nthLargest } from './order.ts';

it('the n-th largest value is that of the sorted values', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true }));
  const values = fc.array(value, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.nat(), (all, any) => {
      const n = 1 + (any % all.length);
      const sorted = Float64Array.from(all).sort();
      expect(nthLargest(Float64Array.from(all), n)).toBe(sorted[sorted.length - n]);
    }),
  );
});
