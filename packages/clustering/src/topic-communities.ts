import { leiden } from './community.ts';
import { membersByCluster, type Partition } from './partition.ts';
import type { Random } from './random.ts';
import { buildFuzzyGraph } from './reduction/fuzzy-graph.ts';
import { nearestNeighbours } from './reduction/neighbours.ts';
import { centreRows } from './reduction/reduce.ts';
import { VectorBlocks } from './vector-blocks.ts';

const neighbours = 20;
/**
 * Of the modularity (Reichardt and Bornholdt, "Statistical mechanics of community detection",
 * 2006): at 1 related topics are one community, and at 2.25 a few rows fall into too many.
 */
const resolutions = { least: 1, most: 2.25, perDoubling: 0.4, leastRows: 32 };
const resolutionFor = (count: number): number => {
  const { least, most, perDoubling, leastRows } = resolutions;
  return Math.min(most, least + perDoubling * Math.max(0, Math.log2(count / leastRows)));
};
/**
 * Two communities are one topic if their rows are nearly as similar to each other as within them:
 * a graph of neighbours has communities also where all rows of a topic are alike.
 */
const mergedFrom = 0.8;
/** Partitions that are compared by their quality; those of large graphs hardly differ. */
const attemptsFor = (count: number): number => (count <= 5_000 ? 5 : 1);
/** More passes move hardly any rows. */
const passesMax = 5;

/**
 * The topics of unit vectors: communities of the graph of neighbours, whose rows then move to the
 * nearest centroid. Rows of communities that are too small are noise; a row's strength is its
 * cosine to the centroid of the others, both without the mean of all vectors.
 * @param count of rows, at least 3
 */
export function findTopicCommunities(
  vectors: Float32Array,
  dimension: number,
  { minClusterSize, random }: { readonly minClusterSize: number; readonly random: Random },
  onProgress: (share: number) => void,
): Partition {
  const count = vectors.length / dimension;
  const centred = centreRows(vectors, dimension);
  const nearest = nearestNeighbours(
    new VectorBlocks(centred, dimension),
    Math.min(neighbours, count - 1),
    (share) => onProgress(0.6 * share),
  );
  const { from, to, weight } = buildFuzzyGraph(nearest);
  const edges = {
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    weight: Float64Array.from(weight, (value) => Math.max(value, Number.MIN_VALUE)),
  };
  const seed = Math.floor(random() * 2 ** 31);
  const communities = leiden(count, edges, {
    seed,
    resolution: resolutionFor(count),
    attempts: attemptsFor(count),
    onProgress: (share) => onProgress(0.6 + 0.3 * share),
  });
  const labels = Int32Array.from({ length: count }, (_, row) =>
    isZero(centred, row * dimension, dimension) ? -1 : communities.getCluster(row),
  );
  mergeAlike(centred, dimension, labels);
  dropSmall(labels, minClusterSize);
  let strengths = new Float32Array(count);
  for (let pass = 0; pass < passesMax; pass += 1) {
    const moved = moveToNearest(centred, dimension, labels);
    strengths = moved.strengths;
    if (moved.count === 0) break;
  }
  dropSmall(labels, minClusterSize);
  // As in the density-based search, all texts together are no cluster.
  if (labels.every((label) => label === 0)) labels.fill(-1);
  onProgress(1);
  return {
    labels,
    probabilities: strengths.map((strength, row) =>
      labels[row] === -1 ? 0 : Math.min(1, Math.max(0, strength)),
    ),
  };
}

/** Rows of clusters that are too small become noise; the others are numbered from 0. */
function dropSmall(labels: Int32Array, minClusterSize: number): void {
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const large = [...sizes.keys()].filter(
    (label) => label >= 0 && (sizes.get(label) as number) >= minClusterSize,
  );
  const numbers = new Map(large.toSorted((a, b) => a - b).map((label, i) => [label, i]));
  for (const [row, label] of labels.entries()) labels[row] = numbers.get(label) ?? -1;
}

/** Gives communities the same label whose rows are alike, directly or through others. */
function mergeAlike(vectors: Float32Array, dimension: number, labels: Int32Array): void {
  const members = membersByCluster(labels);
  const sums = members.map((rows) => sumOf(vectors, dimension, rows));
  const within = sums.map((sum, cluster) => {
    const size = members[cluster]?.length ?? 0;
    return size < 2 ? 1 : (dotAt(sum, 0, sum) - size) / (size * (size - 1));
  });
  const merged = members.map((_, cluster) => cluster);
  for (const [a, sum] of sums.entries()) {
    for (let b = 0; b < a; b += 1) {
      const pairs = (members[a]?.length ?? 0) * (members[b]?.length ?? 0);
      const between = dotAt(sums[b] as Float64Array, 0, sum) / pairs;
      if (between < mergedFrom * Math.min(within[a] as number, within[b] as number)) continue;
      const [from, to] = [merged[a], merged[b]];
      for (const [cluster, label] of merged.entries()) {
        if (label === from) merged[cluster] = to as number;
      }
    }
  }
  for (const [row, label] of labels.entries()) {
    if (label >= 0) labels[row] = merged[label] as number;
  }
}

/** Moves each clustered row to the cluster whose centroid, without the row, is nearest. */
function moveToNearest(
  vectors: Float32Array,
  dimension: number,
  labels: Int32Array,
): { readonly count: number; readonly strengths: Float32Array<ArrayBuffer> } {
  const members = membersByCluster(labels);
  const sums = members.map((rows) => sumOf(vectors, dimension, rows));
  const lengths = sums.map((sum) => Math.hypot(...sum));
  const strengths = new Float32Array(labels.length);
  let count = 0;
  for (const [row, label] of labels.entries()) {
    if (label < 0) continue;
    let best = -1;
    strengths[row] = Number.NEGATIVE_INFINITY;
    for (const [cluster, sum] of sums.entries()) {
      const dot = dotAt(vectors, row * dimension, sum);
      const length = lengths[cluster] as number;
      const cosine =
        cluster === label
          ? (dot - 1) / Math.sqrt(Math.max(1e-12, length ** 2 - 2 * dot + 1))
          : dot / Math.max(1e-6, length);
      if (cosine > (strengths[row] as number)) [best, strengths[row]] = [cluster, cosine];
    }
    if (best !== label) count += 1;
    labels[row] = best;
  }
  return { count, strengths };
}

/** A row that is the mean of all has no direction. */
const isZero = (vectors: Float32Array, from: number, dimension: number): boolean =>
  vectors.subarray(from, from + dimension).every((value) => value === 0);

function sumOf(vectors: Float32Array, dimension: number, rows: readonly number[]): Float64Array {
  const sum = new Float64Array(dimension);
  for (const row of rows) {
    for (let i = 0; i < dimension; i += 1) {
      sum[i] = (sum[i] as number) + (vectors[row * dimension + i] as number);
    }
  }
  return sum;
}

function dotAt(vectors: Float32Array | Float64Array, from: number, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < other.length; i += 1) {
    sum += (vectors[from + i] as number) * (other[i] as number);
  }
  return sum;
}
