import { describe, expect, it } from 'vitest';
import { findCommunities } from './community.ts';
import type { EdgeList } from './task.ts';

const edgesOf = (list: readonly (readonly [number, number, number])[]): EdgeList => ({
  from: Uint32Array.from(list, ([from]) => from),
  to: Uint32Array.from(list, ([, to]) => to),
  weight: Float64Array.from(list, ([, , weight]) => weight),
});

/** Zachary 1977, numbered from 0: per person the acquaintances with a higher number. */
const karateClub: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31],
  1: [2, 3, 7, 13, 17, 19, 21, 30],
  2: [3, 7, 8, 9, 13, 27, 28, 32],
  3: [7, 12, 13],
  4: [6, 10],
  5: [6, 10, 16],
  6: [16],
  8: [30, 32, 33],
  9: [33],
  13: [33],
  14: [32, 33],
  15: [32, 33],
  18: [32, 33],
  19: [33],
  20: [32, 33],
  22: [32, 33],
  23: [25, 27, 29, 32, 33],
  24: [25, 27, 31],
  25: [31],
  26: [29, 33],
  27: [33],
  28: [31, 33],
  29: [32, 33],
  30: [32, 33],
  31: [32, 33],
  32: [33],
};

/** The share of weight within communities minus its expected value (Newman 2004). */
function modularity(labels: Int32Array, { from, to, weight }: EdgeList): number {
  const total = weight.reduce((sum, each) => sum + each, 0);
  const degrees = new Map<number, number>();
  let within = 0;
  for (const [i, each] of weight.entries()) {
    const [a, b] = [labels[from[i] ?? 0] ?? -1, labels[to[i] ?? 0] ?? -1];
    if (a === b) within += each;
    for (const label of [a, b]) degrees.set(label, (degrees.get(label) ?? 0) + each);
  }
  const chance = [...degrees.values()].reduce(
    (sum, degree) => sum + (degree / (2 * total)) ** 2,
    0,
  );
  return within / total - chance;
}

describe('communities', () => {
  it('of the karate club have the maximum modularity, .4198', () => {
    const edges = edgesOf(
      Object.entries(karateClub).flatMap(([from, others]) =>
        others.map((to): [number, number, number] => [Number(from), to, 1]),
      ),
    );
    expect(edges.from.length).toBe(78);
    const { labels } = findCommunities(34, edges, 2, 1);
    expect(new Set(labels).size).toBe(4);
    expect(modularity(labels, edges)).toBeCloseTo(0.4198, 4);
  });

  it('follow the weights, and exclude isolated rows and small communities', () => {
    const strong = [
      [0, 1, 9],
      [1, 2, 9],
      [0, 2, 9],
      [3, 4, 9],
      [4, 5, 9],
      [3, 5, 9],
    ] as const;
    const edges = edgesOf([...strong, [2, 3, 1], [6, 7, 5]]);
    const { labels, probabilities } = findCommunities(9, edges, 3, 1);
    expect(new Set(labels.subarray(0, 3)).size).toBe(1);
    expect(new Set(labels.subarray(3, 6)).size).toBe(1);
    expect(labels[0]).not.toBe(labels[3]);
    expect([...labels.subarray(6)]).toEqual([-1, -1, -1]);
    expect(probabilities[0]).toBe(1);
    expect(probabilities[2]).toBeCloseTo(18 / 19, 6);
    expect([...probabilities.subarray(6)]).toEqual([0, 0, 0]);
  });

  it('do not exist without edges', () => {
    expect([...findCommunities(3, edgesOf([]), 2, 1).labels]).toEqual([-1, -1, -1]);
  });

  it('are the same for the same seed', () => {
    const edges = edgesOf(
      Array.from(
        { length: 300 },
        (_, i) => [i % 60, (i * 7 + 1) % 60, 1 + (i % 3)] as const,
      ).filter(([from, to]) => from !== to),
    );
    expect(findCommunities(60, edges, 2, 3)).toEqual(findCommunities(60, edges, 2, 3));
  });
});
