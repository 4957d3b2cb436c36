import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EmbeddingFailed } from './embedding.ts';
import { dotProduct, toUnitVector } from './unit-vector.ts';

test('any finite nonzero vector becomes one of length 1 in the same direction', () => {
  const floats = fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1 });
  fc.assert(
    fc.property(floats, (vector) => {
      fc.pre(vector.some((value) => value !== 0));
      const unit = toUnitVector(vector.slice());
      expect(dotProduct(unit, unit)).toBeCloseTo(1, 4);
      for (const [i, value] of unit.entries()) {
        expect(value * (vector[i] ?? 0)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test.each([[[0, 0]], [[]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]]])(
  '%j has no direction',
  (numbers) => {
    expect(() => toUnitVector(Float32Array.from(numbers))).toThrow(EmbeddingFailed);
  },
);
