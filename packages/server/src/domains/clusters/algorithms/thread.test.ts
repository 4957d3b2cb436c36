import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { computeClusterMetrics } from './metrics/metrics.ts';
import { makePlantedVectors } from './planted-vectors.testing.ts';
import type { ClusterTask } from './task.ts';
import { runClustering, runMetrics } from './thread.ts';

const words = ['hive', 'invoice', 'kernel', 'sonata'];

/** Four alternating topics. */
const taskOf = (count: number, part: Partial<ClusterTask> = {}): ClusterTask => ({
  kind: 'cluster',
  algorithm: 'bertopic',
  minClusterSize: 5,
  dimension: 32,
  vectors: makePlantedVectors(count, 4, 32, 3),
  texts: Array.from({ length: count }, (_, i) => `About the ${words[i % 4]} of day ${i}`),
  seed: 1,
  ...part,
});

describe('a clustering', () => {
  it('describes each cluster, the largest first', () => {
    const { clusters, labels, sampled } = cluster(taskOf(122), () => undefined);
    expect(sampled).toBeNull();
    expect(clusters.map(({ label }) => label).sort()).toEqual([
      'Hive, day',
      'Invoice, day',
      'Kernel, day',
      'Sonata, day',
    ]);
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
    const { labels } = cluster(taskOf(60, { algorithm: 'community', edges }), () => undefined);
    for (const i of pairs) expect(Math.floor(i / 20)).toBe(Math.floor((i + 1) / 20));
    const groups = [0, 20, 40].map((from) => new Set(labels.subarray(from, from + 20)));
    for (const [i, group] of groups.entries()) {
      for (const other of groups.slice(0, i))
        expect([...group].some((label) => other.has(label))).toBe(false);
    }
  });
});

describe('the thread', () => {
  it('returns the same result as in this thread, and reports progress', async () => {
    const shares: number[] = [];
    const onProgress = (share: number): void => void shares.push(share);
    const answer = await runClustering(taskOf(80), { onProgress });
    expect(answer).toEqual(cluster(taskOf(80), () => undefined));
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('computes metrics of existing clusters', async () => {
    const members = [Uint32Array.of(0, 4, 8), Uint32Array.of(1, 5, 9)];
    const task = () => ({
      dimension: 32,
      vectors: makePlantedVectors(10, 4, 32, 3),
      members,
      seed: 1,
    });
    expect(await runMetrics({ kind: 'metrics', ...task() })).toEqual(computeClusterMetrics(task()));
  });

  it('ends on abort, with the reason', async () => {
    const control = new AbortController();
    const reason = new Error('enough');
    const run = runClustering(taskOf(3_000), {
      signal: control.signal,
      onProgress: () => control.abort(reason),
    });
    await expect(run).rejects.toBe(reason);
    await expect(runClustering(taskOf(8), { signal: control.signal })).rejects.toBe(reason);
  });

  it('reports an error', async () => {
    await expect(runClustering(taskOf(8, { algorithm: 'community' }))).rejects.toThrow('edges');
  });
});
