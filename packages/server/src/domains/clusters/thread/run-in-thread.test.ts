import { type ClusterTask, computeClusterMetrics } from '@mneme/clustering';
import { describe, expect, it } from 'vitest';
import { makePlantedVectors } from '../../../../../clustering/src/planted-vectors.testing.ts';
import { clusterAndLabel } from './cluster-and-label.ts';
import { computeMetricsInThread, runClustering } from './run-in-thread.ts';

const words = ['hive', 'invoice', 'kernel', 'sonata'];

/** Four alternating topics. */
const taskOf = (count: number, part: Partial<ClusterTask> = {}): ClusterTask => ({
  algorithm: 'bertopic',
  minClusterSize: 5,
  dimension: 32,
  vectors: makePlantedVectors(count, 4, 32, 3),
  texts: Array.from({ length: count }, (_, i) => `About the ${words[i % 4]} of day ${i}`),
  seed: 1,
  ...part,
});

describe('a clustering', () => {
  it('labels each cluster by its own texts', () => {
    const { clusters, labels } = clusterAndLabel(taskOf(122), () => undefined);
    expect(clusters.map(({ label }) => label).sort()).toEqual([
      'Hive',
      'Invoice',
      'Kernel',
      'Sonata',
    ]);
    for (const [i, { label, keywords, representatives }] of clusters.entries()) {
      const word = words[(representatives[0] as number) % 4] as string;
      expect(labels[representatives[0] as number]).toBe(i);
      expect(label.toLowerCase()).toMatch(new RegExp(`^${word}$`));
      expect(keywords[0]?.term).toBe(word);
    }
  });
});

describe('the thread', () => {
  it('returns the same result as in this thread, and reports progress', async () => {
    const shares: number[] = [];
    const onProgress = (share: number): void => void shares.push(share);
    const answer = await runClustering(taskOf(80), { onProgress });
    expect(answer).toEqual(clusterAndLabel(taskOf(80), () => undefined));
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
    expect(await computeMetricsInThread(task())).toEqual(computeClusterMetrics(task()));
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
