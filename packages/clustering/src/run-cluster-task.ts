import { centroidOf } from './centroid.ts';
import { clusterVectors } from './cluster-vectors.ts';
import { findCommunities } from './community.ts';
import { computeClusterMetrics } from './metrics/metrics.ts';
import { membersByCluster, type Partition, renumberClustersBySize } from './partition.ts';
import type { Clustering, ClusterTask, FoundCluster } from './task.ts';

const representativesMax = 5;
/**
 * Finds the clusters of a task and describes each; deterministic.
 * @param onProgress called with the completed share of the search for the partition, 0 to 1; the
 *   description of the clusters afterwards takes about a tenth of the time
 */
export function runClusterTask(task: ClusterTask, onProgress: (share: number) => void): Clustering {
  const { partition, sampled } = findPartition(task, onProgress);
  return { ...partition, clusters: describeClusters(task, partition), sampled };
}

function findPartition(
  task: ClusterTask,
  onProgress: (share: number) => void,
): { readonly partition: Partition; readonly sampled: number | null } {
  if (task.algorithm !== 'community') return clusterVectors(task, onProgress);
  const { edges, minClusterSize, seed } = task;
  if (!edges) throw new TypeError('the algorithm community requires edges');
  const count = task.vectors.length / task.dimension;
  return {
    partition: renumberClustersBySize(findCommunities(count, edges, minClusterSize, seed)),
    sampled: null,
  };
}

function describeClusters(task: ClusterTask, { labels, probabilities }: Partition): FoundCluster[] {
  const { vectors, dimension, seed } = task;
  const members = membersByCluster(labels);
  const metrics = computeClusterMetrics({
    vectors,
    dimension,
    members: members.map((rows) => Uint32Array.from(rows)),
    seed,
  });
  return members.map((rows, i) => {
    const centroid = centroidOf(vectors, dimension, rows).vector;
    const representativeness = (row: number): number =>
      (probabilities[row] as number) * cosine(vectors, row, centroid);
    const strengths = new Map(rows.map((row) => [row, representativeness(row)]));
    const representatives = rows
      .toSorted((a, b) => (strengths.get(b) ?? 0) - (strengths.get(a) ?? 0) || a - b)
      .slice(0, representativesMax);
    const { silhouette, dbcv, cohesion } = metrics[i] as (typeof metrics)[number];
    return { centroid, representatives, silhouette, dbcv, cohesion };
  });
}

function cosine(vectors: Float32Array, row: number, centroid: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < centroid.length; i += 1) {
    sum += (vectors[row * centroid.length + i] as number) * (centroid[i] as number);
  }
  return sum;
}
