import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCosineMap, mapCosine } from './cosine-map.ts';
import { fitLine } from './line.ts';

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const cosines = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: 33,
  maxLength: 33,
});

describe('a map of cosines', () => {
  it('never decreases, and keeps 1', () => {
    fc.assert(
      fc.property(cosines, cosines, cosines, (from, to, probes) => {
        const map = createCosineMap(ascending(from), ascending(to));
        const mapped = ascending(probes).map((cosine) => mapCosine(map, cosine));
        expect(mapped).toEqual(ascending(mapped));
        expect(mapCosine(map, 1)).toBe(1);
        for (const cosine of mapped) expect(Math.abs(cosine)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('keeps all cosines of a model for which all texts are equal', () => {
    const ones = Array.from({ length: 33 }, () => 1);
    const map = createCosineMap(
      ones,
      ones.map((_, i) => i / 33),
    );
    for (const cosine of [-1, -0.2, 0.5, 1]) expect(mapCosine(map, cosine)).toBeCloseTo(cosine, 5);
  });

  it('undoes a linear change of scale between the knots and below them', () => {
    const to = Array.from({ length: 33 }, (_, i) => -0.2 + i / 32);
    const map = createCosineMap(
      to.map((cosine) => 0.75 + 0.2 * cosine),
      to,
    );
    for (const cosine of [-0.3, -0.2, 0, 0.33, 0.7]) {
      expect(mapCosine(map, 0.75 + 0.2 * cosine)).toBeCloseTo(cosine, 2);
    }
  });

  it('has the line of a linear change of scale', () => {
    const to = Array.from({ length: 33 }, (_, i) => -0.2 + i / 32);
    const map = createCosineMap(
      to.map((cosine) => 0.75 + 0.2 * cosine),
      to,
    );
    const { slope, intercept } = fitLine(map, [0.72, 0.75, 0.78, 0.8]);
    expect(slope).toBeCloseTo(5, 1);
    expect(intercept).toBeCloseTo(-3.75, 1);
    expect(fitLine(map, [0.75, 0.75])).toEqual({ slope: 0, intercept: expect.closeTo(0, 2) });
  });
});
