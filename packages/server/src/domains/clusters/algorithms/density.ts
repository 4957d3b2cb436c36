import { assignByNearest } from './assign.ts';
import { hdbscan } from './hdbscan/hdbscan.ts';
import type { Points } from './hdbscan/spanning-tree.ts';
import { type Partition, renumberBySize } from './partition.ts';
import { createRandom, type Random, sampleRows } from './random.ts';
import { reduceDimensions } from './reduction/reduce.ts';
import { RowBlocks } from './row-blocks.ts';
import type { ClusterTask } from './task.ts';

type DensityTask = Pick<ClusterTask, 'vectors' | 'dimension' | 'texts' | 'minClusterSize' | 'seed'>;

/** Of more, a sample is clustered and the rest assigned. */
const clusteredMax = 20_000;
/** Of fewer, neighbourhoods say too little for their dimensions to be reduced. */
const reducedMin = 40;

/**
 * Clusters unit vectors by density, and of more than 20,000 a sample, to which the others are
 * assigned. Rows are taken in an order of their own: that in which they come changes nothing.
 */
export function clusterByDensity(
  task: DensityTask,
  onProgress: (share: number) => void,
  sampleMax = clusteredMax,
): { readonly partition: Partition; readonly sampled: number | null } {
  const order = canonicalOrder(task);
  const count = order.length;
  const random = createRandom(task.seed);
  const drawn = sampleRows(count, sampleMax, random).map((place) => order[place] as number);
  const isAll = drawn.length === count;
  const sample = rowsOf(task, drawn);
  const share = isAll ? 1 : 0.3;
  const found = densityClusters(sample, task, random, (done) => onProgress(share * done));
  const labels = new Int32Array(count).fill(-1);
  const probabilities = new Float32Array(count);
  const place = (rows: Uint32Array, { labels: some, probabilities: strengths }: Partition) => {
    for (const [i, row] of rows.entries()) {
      labels[row] = some[i] as number;
      probabilities[row] = strengths[i] as number;
    }
  };
  place(drawn, found);
  if (!isAll) {
    const known = new Set(drawn);
    const guests = order.filter((row) => !known.has(row));
    const blocks = new RowBlocks(sample, task.dimension);
    const tell = (done: number): void => onProgress(share + (1 - share) * done);
    place(guests, assignByNearest(blocks, found, task.vectors, guests, tell));
  }
  return {
    partition: renumberBySize({ labels, probabilities }),
    sampled: isAll ? null : drawn.length,
  };
}

function densityClusters(
  vectors: Float32Array,
  { dimension, minClusterSize }: DensityTask,
  random: Random,
  onProgress: (share: number) => void,
): Partition {
  const isReduced = vectors.length / dimension >= reducedMin;
  const points: Points = isReduced
    ? reduceDimensions(vectors, dimension, random, (share) => onProgress(0.75 * share))
    : { dimension, values: vectors };
  return hdbscan(points, {
    minClusterSize,
    minSamples: 1,
    onProgress: (share) => onProgress(0.75 + 0.25 * share),
  });
}

function rowsOf({ vectors, dimension }: DensityTask, rows: Uint32Array): Float32Array {
  const some = new Float32Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) {
    some.set(vectors.subarray(row * dimension, (row + 1) * dimension), i * dimension);
  }
  return some;
}

/** By vector, then by text. */
function canonicalOrder({ vectors, dimension, texts }: DensityTask): Uint32Array<ArrayBuffer> {
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
