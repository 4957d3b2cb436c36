import { assignToNearestClusters } from './assign-to-nearest-clusters.ts';
import { hdbscan } from './hdbscan/hdbscan.ts';
import type { Points } from './hdbscan/spanning-tree.ts';
import { type Partition, renumberClustersBySize } from './partition.ts';
import { createRandom, type Random, sampleRows } from './random.ts';
import { reduceDimensions } from './reduction/reduce.ts';
import type { ClusterTask } from './task.ts';
import { findTopicCommunities } from './topic-communities.ts';
import { VectorBlocks } from './vector-blocks.ts';

type VectorTask = Pick<
  ClusterTask,
  'algorithm' | 'vectors' | 'dimension' | 'texts' | 'minClusterSize' | 'seed'
>;

/** Above this, a sample is clustered and the other rows are assigned to its clusters. */
const clusteredMax = 20_000;
/** Below this, there are too few neighbours to reduce the dimensions. */
const reducedMin = 40;
/** Below this, there are too few for a graph. */
const graphMin = 16;

/**
 * Clusters unit vectors by density, or by topics (`bertopic`); of more than 20,000 only a sample,
 * and the others are assigned to its clusters. Rows are processed in a canonical order: the order
 * of the input does not affect the result.
 */
export function clusterVectors(
  task: VectorTask,
  onProgress: (share: number) => void,
  sampleMax = clusteredMax,
): { readonly partition: Partition; readonly sampled: number | null } {
  const order = canonicalOrder(task);
  const count = order.length;
  const random = createRandom(task.seed);
  const drawn = sampleRows(count, sampleMax, random).map((index) => order[index] as number);
  const isAll = drawn.length === count;
  const sample = rowsOf(task, drawn);
  const share = isAll ? 1 : 0.3;
  const sampled = clustersOf(sample, task, random, (done) => onProgress(share * done));
  const labels = new Int32Array(count).fill(-1);
  const probabilities = new Float32Array(count);
  const copyLabels = (rows: Uint32Array, { labels: some, probabilities: strengths }: Partition) => {
    for (const [i, row] of rows.entries()) {
      labels[row] = some[i] as number;
      probabilities[row] = strengths[i] as number;
    }
  };
  copyLabels(drawn, sampled);
  if (!isAll) {
    const clustered = new Set(drawn);
    const unassigned = order.filter((row) => !clustered.has(row));
    const blocks = new VectorBlocks(sample, task.dimension);
    const reportAssigned = (done: number): void => onProgress(share + (1 - share) * done);
    copyLabels(
      unassigned,
      assignToNearestClusters(blocks, sampled, task.vectors, unassigned, reportAssigned),
    );
  }
  return {
    partition: renumberClustersBySize({ labels, probabilities }),
    sampled: isAll ? null : drawn.length,
  };
}

function clustersOf(
  vectors: Float32Array,
  { algorithm, dimension, minClusterSize }: VectorTask,
  random: Random,
  onProgress: (share: number) => void,
): Partition {
  const count = vectors.length / dimension;
  const isReduced = count >= reducedMin;
  if (count >= graphMin && algorithm === 'bertopic') {
    return findTopicCommunities(vectors, dimension, { minClusterSize, random }, onProgress);
  }
  const points: Points = isReduced
    ? reduceDimensions(vectors, dimension, random, (share) => onProgress(0.75 * share))
    : { dimension, values: vectors };
  return hdbscan(points, {
    minClusterSize,
    minSamples: 1,
    onProgress: (share) => onProgress(0.75 + 0.25 * share),
  });
}

export function rowsOf(
  { vectors, dimension }: Pick<VectorTask, 'vectors' | 'dimension'>,
  rows: Uint32Array,
): Float32Array {
  const selected = new Float32Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) {
    selected.set(vectors.subarray(row * dimension, (row + 1) * dimension), i * dimension);
  }
  return selected;
}

/** By vector, then by text. */
export function canonicalOrder({
  vectors,
  dimension,
  texts,
}: Pick<VectorTask, 'vectors' | 'dimension' | 'texts'>): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: vectors.length / dimension }, (_, row) => row).sort((a, b) => {
    for (let i = 0; i < dimension; i += 1) {
      const difference =
        (vectors[a * dimension + i] as number) - (vectors[b * dimension + i] as number);
      if (difference !== 0) return difference;
    }
    const [one, other] = [texts[a] ?? '', texts[b] ?? ''];
    if (one === other) return a - b;
    return one < other ? -1 : 1;
  });
}
