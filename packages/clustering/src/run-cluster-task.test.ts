import { describe, expect, it } from 'vitest';
import { makePlantedVectors } from './planted-vectors.testing.ts';
import { runClusterTask } from './run-cluster-task.ts';
import type { ClusterTask } from './task.ts';

/** Four alternating groups. */
const taskOf = (count: number, part: Partial<ClusterTask> = {}): ClusterTask => ({
  algorithm: 'bertopic',
  minClusterSize: 5,
  dimension: 32,
  vectors: makePlantedVectors(count, 4, 32, 3),
  texts: Array.from({ length: count }, (_, i) => `Text ${i}`),
  seed: 1,
  ...part,
});

describe('a clustering', () => {
  it('describes each cluster, the largest first', () => {
    const { clusters, labels, sampled } = runClusterTask(taskOf(122), () => undefined);
    expect(sampled).toBeNull();
    expect(clusters.length).toBe(4);
    const sizes = clusters.map((_, i) => labels.filter((label) => label === i).length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    for (const [i, { centroid, representatives, ...metrics }] of clusters.entries()) {
      expect(Math.hypot(...centroid)).toBeCloseTo(1, 5);
      expect(representatives.length).toBe(5);
      for (const row of representatives) expect(labels[row]).toBe(i);
      expect(metrics.silhouette).toBeGreaterThan(0.2);
      expect(metrics.dbcv).toBeGreaterThan(0);
      expect(metrics.cohesion).toBeGreaterThan(0.7);
    }
  });

  it('of a graph uses only its edges', () => {
    const pairs = Array.from({ length: 59 }, (_, i) => i).filter((i) => i % 20 !== 19);
    const edges = {
      from: Uint32Array.from(pairs),
      to: Uint32Array.from(pairs, (i) => i + 1),
      weight: Float64Array.from(pairs, () => 1),
    };
    const { labels } = runClusterTask(
      taskOf(60, { algorithm: 'community', edges }),
      () => undefined,
    );
    for (const i of pairs) expect(Math.floor(i / 20)).toBe(Math.floor((i + 1) / 20));
    const groups = [0, 20, 40].map((from) => new Set(labels.subarray(from, from + 20)));
    for (const [i, group] of groups.entries()) {
      for (const other of groups.slice(0, i))
        expect([...group].some((label) => other.has(label))).toBe(false);
    }
  });
});
