import { centroidOf } from './centroid.ts';
import { findCommunities } from './community.ts';
import { clusterByDensity } from './density.ts';
import { extractTopics } from './labels.ts';
import { computeClusterMetrics } from './metrics/metrics.ts';
import { membersOf, type Partition, renumberBySize } from './partition.ts';
import type { Clustering, ClusterTask, FoundCluster } from './task.ts';

const representativesMax = 5;
/** Share of the progress for finding the clusters; the rest is for describing them. */
const partitionShare = 0.9;

/** Finds the clusters of a task and describes each; deterministic. */
export function cluster(task: ClusterTask, onProgress: (share: number) => void): Clustering {
  const { partition, sampled } = findPartition(task, (share) => onProgress(partitionShare * share));
  const clusters = describeClusters(task, partition);
  onProgress(1);
  return { ...partition, clusters, sampled };
}

function findPartition(
  task: ClusterTask,
  onProgress: (share: number) => void,
): { readonly partition: Partition; readonly sampled: number | null } {
  if (task.algorithm !== 'community') return clusterByDensity(task, onProgress);
  const { edges, minClusterSize, seed } = task;
  if (!edges) throw new TypeError('the algorithm community requires edges');
  const count = task.vectors.length / task.dimension;
  return {
    partition: renumberBySize(findCommunities(count, edges, minClusterSize, seed)),
    sampled: null,
  };
}

function describeClusters(task: ClusterTask, { labels, probabilities }: Partition): FoundCluster[] {
  const { vectors, dimension, texts, seed } = task;
  const members = membersOf(labels);
  const topics = extractTopics(texts, members);
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
    const { label, keywords } = topics[i] as (typeof topics)[number];
    const { silhouette, dbcv, cohesion } = metrics[i] as (typeof metrics)[number];
    return { centroid, label, keywords, representatives, silhouette, dbcv, cohesion };
  });
}

function cosine(vectors: Float32Array, row: number, centroid: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < centroid.length; i += 1) {
    sum += (vectors[row * centroid.length + i] as number) * (centroid[i] as number);
  }
  return sum;
}
