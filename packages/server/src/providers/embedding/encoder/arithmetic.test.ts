import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyLayerNorm, quantiseRows, toUnitLength } from './arithmetic.ts';

const floats = (length: number, min = -3) =>
  fc
    .array(fc.float({ min, max: 3, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values));

describe('quantiseRows', () => {
  it.each([0, 64] as const)('rounds to the nearest of its levels around %d', (zeroPoint) => {
    fc.assert(
      fc.property(floats(24, zeroPoint === 0 ? 0 : -3), (rows) => {
        const quantised = new Uint8Array(24);
        const scales = new Float32Array(3);
        quantiseRows(rows, quantised, scales, zeroPoint);
        for (const [i, value] of rows.entries()) {
          const scale = scales[Math.floor(i / 8)] as number;
          const restored = ((quantised[i] as number) - zeroPoint) * scale;
          expect(Math.abs(restored - value)).toBeLessThanOrEqual(scale * 0.5001 + 1e-9);
          expect(quantised[i]).toBeLessThanOrEqual(127);
        }
      }),
    );
  });
});

describe('applyLayerNorm', () => {
  it('gives each row the mean of the bias and the deviation of the weight', () => {
    const weight = new Float32Array(8).fill(2);
    const bias = new Float32Array(8).fill(1);
    const rows = Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9]);
    const normed = applyLayerNorm(rows, { weight, bias }, 8);
    for (const row of [normed.subarray(0, 8), normed.subarray(8)]) {
      const mean = row.reduce((sum, value) => sum + value, 0) / 8;
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 8;
      expect(mean).toBeCloseTo(1, 5);
      expect(Math.sqrt(variance)).toBeCloseTo(2, 4);
    }
  });
});

describe('toUnitLength', () => {
  it('scales to the length 1, and leaves zeros', () => {
    expect([...toUnitLength(Float32Array.of(3, 4))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect([...toUnitLength(Float32Array.of(0, 0))]).toEqual([0, 0]);
  });
});
