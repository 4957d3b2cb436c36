import { describe, expect, it } from 'vitest';
import { makePlantedVectors } from '../planted-vectors.testing.ts';
import { createRandom } from '../random.ts';
import { VectorBlocks } from '../vector-blocks.ts';
import { buildFuzzyGraph } from './fuzzy-graph.ts';
import { nearestNeighbours } from './neighbours.ts';
import { principalCoordinates } from './principal-coordinates.ts';
import { reduceDimensions } from './reduce.ts';

const silent = (): void => undefined;
const distance = (points: ArrayLike<number>, dimension: number, i: number, j: number): number =>
  Math.hypot(
    ...Array.from(
      { length: dimension },
      (_, k) => (points[i * dimension + k] ?? 0) - (points[j * dimension + k] ?? 0),
    ),
  );

describe('nearest neighbours', () => {
  it('equal those of all pairs, nearest first', () => {
    const vectors = makePlantedVectors(150, 4, 16, 1);
    const found = nearestNeighbours(new VectorBlocks(vectors, 16), 6, silent);
    for (let row = 0; row < 150; row += 1) {
      const all = Array.from({ length: 150 }, (_, other) => other)
        .filter((other) => other !== row)
        .sort((a, b) => distance(vectors, 16, row, a) - distance(vectors, 16, row, b));
      for (let i = 0; i < 6; i += 1) {
        const expected = distance(vectors, 16, row, all[i] ?? 0);
        expect(found.distances[row * 6 + i]).toBeCloseTo(expected, 3);
        const other = found.rows[row * 6 + i] ?? 0;
        expect(distance(vectors, 16, row, other)).toBeCloseTo(expected, 3);
      }
    }
  });
});

describe('the fuzzy graph', () => {
  it('links each row to its neighbours with log2 k in total, and two rows once', () => {
    // Four on a line, each linked to both neighbours: 0–1–2–3 at 1, 2 and 3.
    const { from, to, weight } = buildFuzzyGraph({
      k: 2,
      rows: Int32Array.of(1, 2, 0, 2, 1, 3, 2, 1),
      distances: Float32Array.of(1, 3, 1, 2, 2, 3, 3, 5),
    });
    const pairs = new Map(Array.from(from, (row, i) => [`${row}-${to[i]}`, weight[i] ?? 0]));
    // The nearest receives all of log2 2; the other almost nothing.
    expect([...pairs.keys()].sort()).toEqual(['0-1', '0-2', '1-2', '2-3', '3-1']);
    expect(pairs.get('0-1')).toBe(1);
    expect(pairs.get('1-2')).toBe(1);
    expect(pairs.get('3-1')).toBeLessThan(0.01);
  });

  it('combines two weights to a + b − a·b', () => {
    const k = 3;
    const rows = Int32Array.of(1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2);
    const distances = Float32Array.of(1, 1.5, 2, 1, 1.2, 1.4, 1.2, 1.5, 1.6, 1.4, 1.6, 2);
    const { from, to, weight } = buildFuzzyGraph({ k, rows, distances });
    expect(from.length).toBe(6);
    const index = Array.from(from, (row, i) => [row, to[i]].join()).indexOf('0,2');
    // Of row 0, e^(−.5/σ) with 1 + e^(−.5/σ) + e^(−1/σ) = log2 3; 0 is the nearest of row 2.
    expect(weight[index]).toBe(1);
    const [view, back] = [solve([0.5, 1], 1), solve([0.2, 0.4], 1)];
    const other = weight[Array.from(from, (row, i) => [row, to[i]].join()).indexOf('0,3')] ?? 0;
    expect(view).toBeLessThan(1);
    expect(back).toBeLessThan(1);
    expect(other).toBe(1);
  });
});

/** e^(−d/σ) of one of the distances beyond the nearest, found by bisecting the bandwidth. */
function solve(beyond: readonly number[], which: number): number {
  let [low, high] = [1e-6, 1e3];
  for (let i = 0; i < 200; i += 1) {
    const middle = (low + high) / 2;
    const sum = 1 + beyond.reduce((all, each) => all + Math.exp(-each / middle), 0);
    if (sum > Math.log2(beyond.length + 1)) high = middle;
    else low = middle;
  }
  return Math.exp(-(beyond[which] ?? 0) / low);
}

describe('principal coordinates', () => {
  it('are along the directions of greatest variance', () => {
    const random = createRandom(4);
    const rows = Array.from({ length: 200 }, (_, i) => {
      const along = i - 99.5;
      return [along, 2 * along, 0.1 * (random() - 0.5)];
    });
    const found = principalCoordinates(Float32Array.from(rows.flat()), 3, 1, random);
    const sign = Math.sign(found[199] ?? 0);
    expect(Math.abs(found[0] ?? 0)).toBeCloseTo(10, 3);
    for (const [i, value] of found.entries()) {
      expect(sign * value).toBeCloseTo((10 * (i - 99.5)) / 99.5, 2);
    }
  });
});

describe('a reduction', () => {
  it('preserves groups and their separation', () => {
    const vectors = makePlantedVectors(120, 3, 24, 5);
    const { values, dimension } = reduceDimensions(vectors, 24, createRandom(1), silent);
    const mean = (same: boolean): number => {
      const all: number[] = [];
      for (let i = 0; i < 120; i += 1) {
        for (let j = 0; j < i; j += 1) {
          if ((i % 3 === j % 3) === same) all.push(distance(values, dimension, i, j));
        }
      }
      return all.reduce((sum, each) => sum + each, 0) / all.length;
    };
    expect(mean(false)).toBeGreaterThan(3 * mean(true));
  });

  it('reports progress up to 1', () => {
    const shares: number[] = [];
    reduceDimensions(makePlantedVectors(60, 2, 8, 6), 8, createRandom(1), (share) =>
      shares.push(share),
    );
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });
});
