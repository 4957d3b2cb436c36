import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { dbcvScores } from './dbcv.ts';
import { computeDistances, type DistanceMatrix } from './distance-matrix.ts';
import { computeClusterMetrics } from './metrics.ts';
import { meanSilhouettes } from './silhouette.ts';

/** Points on a line, so that all values can be computed by hand. */
function line(...clusters: number[][]): [DistanceMatrix, Int32Array, number] {
  const places = clusters.flat();
  const values = Float32Array.from(places.flatMap((a) => places.map((b) => Math.abs(a - b))));
  const labels = clusters.flatMap((members, i) => members.map(() => i));
  return [{ count: places.length, values }, Int32Array.from(labels), clusters.length];
}

/** Random unit vectors. */
function unitVectors(count: number, dimension: number, seed: number): Float32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const vectors = new Float32Array(count * dimension).map(() => random() - 0.5);
  for (let from = 0; from < vectors.length; from += dimension) {
    const row = vectors.subarray(from, from + dimension);
    const length = Math.hypot(...row);
    for (let i = 0; i < dimension; i += 1) row[i] = (row[i] as number) / length;
  }
  return vectors;
}

const range = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: to - from }, (_, i) => from + i);

describe('the silhouette', () => {
  it('equals manual calculation', () => {
    // 0: a 1, b 5; 1: a 1, b 4; 4: a 2, b 3.5; 6: a 2, b 5.5.
    const [first, second] = meanSilhouettes(...line([0, 1], [4, 6]));
    expect(first).toBeCloseTo((4 / 5 + 3 / 4) / 2, 6);
    expect(second).toBeCloseTo((1.5 / 3.5 + 3.5 / 5.5) / 2, 6);
  });

  it('is 0 for a cluster of one point, and for points that all coincide', () => {
    expect(meanSilhouettes(...line([0, 1], [9]))[1]).toBe(0);
    expect([...meanSilhouettes(...line([3, 3], [3, 3]))]).toEqual([0, 0]);
  });
});

describe('DBCV', () => {
  it('equals manual calculation if no edge is internal', () => {
    // In one dimension the core distance is the harmonic mean: 4/3, 1, 4/3 and 3/2, 4/3, 12/5.
    // The longest edges are 4/3 and 12/5; the points in the middle are 10 apart.
    const [first, second] = dbcvScores(...line([0, 1, 2], [10, 11, 13]), 1);
    expect(first).toBeCloseTo((10 - 4 / 3) / 10, 6);
    expect(second).toBeCloseTo((10 - 12 / 5) / 10, 6);
  });

  it('ignores edges to the leaves of the tree', () => {
    // Cores 9/5, 15/11, 12/7 and 180/37; the internal edge 1–2 is 12/7, and 2 is 19 from 21.
    const [first, second] = dbcvScores(...line([0, 1, 2, 6], [20, 21, 22]), 1);
    expect(first).toBeCloseTo((19 - 12 / 7) / 19, 6);
    expect(second).toBeCloseTo((19 - 4 / 3) / 19, 6);
  });

  it('is computed in many dimensions, where powers of distances overflow', () => {
    // Nearly the nearest distance: (1 + 2^-192)/2 to the power of -1/192.
    const core = 0.5 ** (-1 / 192);
    const [first] = dbcvScores(...line([0, 1, 2], [10, 11, 13]), 192);
    expect(first).toBeCloseTo((10 - core) / 10, 6);
  });

  it('is 1 for clusters of points that coincide, and a number with others among them', () => {
    expect([...dbcvScores(...line([0, 0, 0], [10, 10]), 2)]).toEqual([1, 1]);
    // Points that coincide have the core 0, the third one 1: the longest edge is 1, the nearest 9.
    const [first] = dbcvScores(...line([0, 0, 1], [10, 10]), 1);
    expect(first).toBeCloseTo((10 - 1) / 10, 6);
  });

  it('is below 0 for a cluster that surrounds another one', () => {
    // The internal edge 2–20 is 18 long, and 2 is 8 from 10, an internal point.
    const [around, within] = dbcvScores(...line([0, 1, 2, 20, 21, 22], [9, 10, 11]), 4);
    expect(around).toBeCloseTo((8 - 18) / 18, 6);
    expect(within).toBeGreaterThan(0.8);
  });
});

describe('metrics of clusters', () => {
  it('are unknown, except cohesion, if there is no other cluster', () => {
    const vectors = Float32Array.of(1, 0, 0, 1);
    const all = computeClusterMetrics({
      vectors,
      dimension: 2,
      members: [Uint32Array.of(0, 1)],
      seed: 1,
    });
    expect(all).toEqual([{ silhouette: null, dbcv: null, cohesion: expect.closeTo(0.5 ** 0.5) }]);
  });

  it('are computed from the distances of the vectors', () => {
    const vectors = unitVectors(150, 20, 1);
    const distances = computeDistances(vectors, 20);
    const members = [range(0, 70), range(70, 150)];
    const labels = Int32Array.from({ length: 150 }, (_, i) => (i < 70 ? 0 : 1));
    const all = computeClusterMetrics({ vectors, dimension: 20, members, seed: 1 });
    const silhouette = meanSilhouettes(distances, labels, 2);
    const dbcv = dbcvScores(distances, labels, 2, 20);
    expect(all.map((each) => each.silhouette)).toEqual([...silhouette]);
    expect(all.map((each) => each.dbcv)).toEqual([...dbcv]);
    const between = (i: number, j: number): number =>
      Math.hypot(...Array.from({ length: 20 }, (_, k) => at(vectors, i, k) - at(vectors, j, k)));
    expect(distances.values[3 * 150 + 140]).toBeCloseTo(between(3, 140), 4);
    expect(distances.values[140 * 150 + 3]).toBe(distances.values[3 * 150 + 140]);
  });

  it('of many points use a sample in which no small cluster is lost', () => {
    const vectors = unitVectors(700, 8, 2);
    for (let row = 0; row < 20; row += 1) vectors.set([1, 0, 0, 0, 0, 0, 0, 0], row * 8);
    const members = [range(0, 20), range(20, 700)];
    const task = { vectors, dimension: 8, members, seed: 1 };
    const [small, large] = computeClusterMetrics(task, 200);
    expect(small).toMatchObject({ silhouette: 1, cohesion: expect.closeTo(1) });
    const whole = computeClusterMetrics(task)[1]?.silhouette ?? Number.NaN;
    expect(large?.silhouette).not.toBe(whole);
    expect(large?.silhouette).toBeCloseTo(whole, 1);
    expect(computeClusterMetrics(task, 200)).toEqual([small, large]);
  });

  it('of very many clusters are those of the first that fit', () => {
    const vectors = unitVectors(30, 8, 3);
    const members = Array.from({ length: 15 }, (_, i) => range(2 * i, 2 * i + 2));
    const all = computeClusterMetrics({ vectors, dimension: 8, members, seed: 1 }, 20);
    const compared = all.map(({ silhouette }) => silhouette !== null);
    expect(compared).toEqual(members.map((_, i) => i < 10));
    expect(all.every(({ cohesion }) => cohesion > 0)).toBe(true);
  });

  it('count a point in each of its clusters', () => {
    const vectors = Float32Array.of(1, 0, 0, 1, -1, 0);
    const members = [Uint32Array.of(0, 1), Uint32Array.of(1, 2)];
    const [first] = computeClusterMetrics({ vectors, dimension: 2, members, seed: 1 });
    // Of (1,0): √2 to its own, (√2 + 2)/2 to the other; of (0,1): √2 to its own, √2/2.
    const root = Math.SQRT2;
    const expected = (1 - root / ((root + 2) / 2) + (root / 2 / root - 1)) / 2;
    expect(first?.silhouette).toBeCloseTo(expected, 3);
  });
});

const at = (vectors: Float32Array, row: number, column: number): number =>
  vectors[row * 20 + column] ?? Number.NaN;
