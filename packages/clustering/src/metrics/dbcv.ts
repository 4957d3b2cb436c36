import type { DistanceMatrix } from './distance-matrix.ts';

interface ClusterTree {
  /** Points of a cluster with more than one edge. */
  readonly internal: readonly number[];
  /** The longest edge between internal points; of all edges if there are no internal ones. */
  readonly sparseness: number;
}

/**
 * The validity of each cluster (Moulavi, Jaskowiak, Campello, Zimek and Sander, "Density-Based
 * Clustering Validation", 2014): (separation − sparseness)/max of both, −1 to 1. Sparseness is the
 * longest internal edge of the cluster's minimum spanning tree by mutual reachability (definitions
 * 2 to 5), separation the least mutual reachability between its internal points and another's (6).
 * As in the authors' program, all edges and points count if none is internal.
 * @param labels by point, from 0 to `clusters` − 1
 * @param dimension of the space of the distances
 * @returns NaN for a cluster of one point, and if there is no other cluster
 */
export function dbcvScores(
  matrix: DistanceMatrix,
  labels: Int32Array,
  clusters: number,
  dimension: number,
): Float64Array {
  const members: number[][] = Array.from({ length: clusters }, () => []);
  for (const [point, label] of labels.entries()) members[label]?.push(point);
  const cores = new Float64Array(matrix.count);
  for (const points of members) computeCoreDistances(cores, matrix, points, dimension);
  const trees = members.map((points) => treeOf(matrix, cores, points));
  const separation = separations(matrix, cores, trees);
  return Float64Array.from(trees, ({ sparseness }, cluster) => {
    const nearest = separation[cluster] as number;
    if ((members[cluster]?.length ?? 0) < 2 || nearest === Number.POSITIVE_INFINITY)
      return Number.NaN;
    const larger = Math.max(nearest, sparseness);
    return larger === 0 ? 0 : (nearest - sparseness) / larger;
  });
}

/**
 * Definition 1: ((Σ d^−D)/(n − 1))^(−1/D) over the distances d to the others of the cluster, as
 * multiples of the smallest so that no power overflows.
 */
function computeCoreDistances(
  cores: Float64Array,
  { count, values }: DistanceMatrix,
  points: readonly number[],
  dimension: number,
): void {
  for (const point of points) {
    let least = Number.POSITIVE_INFINITY;
    for (const other of points) {
      if (other !== point) least = Math.min(least, values[point * count + other] as number);
    }
    let sum = 0;
    for (const other of points) {
      if (other !== point) sum += (least / (values[point * count + other] as number)) ** dimension;
    }
    const isAlone = points.length < 2 || least === 0;
    cores[point] = isAlone ? 0 : least * (sum / (points.length - 1)) ** (-1 / dimension);
  }
}

function treeOf(
  matrix: DistanceMatrix,
  cores: Float64Array,
  points: readonly number[],
): ClusterTree {
  const { parents, weights } = spanningTree(matrix, cores, points);
  const degrees = new Int32Array(points.length);
  for (let i = 1; i < points.length; i += 1) {
    for (const end of [i, parents[i] as number]) degrees[end] = (degrees[end] as number) + 1;
  }
  const isInternal = (i: number): boolean => (degrees[i] as number) > 1;
  const internal = points.filter((_, i) => isInternal(i));
  let [longest, longestWithin] = [0, -1];
  for (let i = 1; i < points.length; i += 1) {
    const weight = weights[i] as number;
    longest = Math.max(longest, weight);
    if (isInternal(i) && isInternal(parents[i] as number)) {
      longestWithin = Math.max(longestWithin, weight);
    }
  }
  return {
    internal: internal.length > 0 ? internal : points,
    sparseness: longestWithin < 0 ? longest : longestWithin,
  };
}

/**
 * Prim's algorithm on the mutual reachability of the cluster's points, starting at the first: for
 * each other point its neighbour in the tree and the distance.
 */
function spanningTree(
  { count, values }: DistanceMatrix,
  cores: Float64Array,
  points: readonly number[],
): { readonly parents: Int32Array; readonly weights: Float64Array } {
  const parents = new Int32Array(points.length);
  const weights = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const outside = Int32Array.from(points, (_, i) => i);
  let last = 0;
  for (let left = points.length - 1; left > 0; left -= 1) {
    // Swap-remove: the last one replaces the point that was added.
    outside[outside.indexOf(last)] = outside[left] as number;
    const [from, core] = [points[last] as number, cores[points[last] as number] as number];
    let best = 0;
    for (let index = 0; index < left; index += 1) {
      const i = outside[index] as number;
      const point = points[i] as number;
      const distance = values[from * count + point] as number;
      const reach = Math.max(distance, core, cores[point] as number);
      if (reach < (weights[i] as number)) {
        weights[i] = reach;
        parents[i] = last;
      }
      if ((weights[i] as number) < (weights[outside[best] as number] as number)) best = index;
    }
    last = outside[best] as number;
  }
  return { parents, weights };
}

/** By cluster, the distance of the nearest other cluster. */
function separations(
  { count, values }: DistanceMatrix,
  cores: Float64Array,
  trees: readonly ClusterTree[],
): Float64Array {
  const nearest = new Float64Array(trees.length).fill(Number.POSITIVE_INFINITY);
  for (const [a, { internal }] of trees.entries()) {
    for (let b = 0; b < a; b += 1) {
      let least = Number.POSITIVE_INFINITY;
      for (const point of internal) {
        for (const other of (trees[b] as ClusterTree).internal) {
          const distance = values[point * count + other] as number;
          const reach = Math.max(distance, cores[point] as number, cores[other] as number);
          if (reach < least) least = reach;
        }
      }
      nearest[a] = Math.min(nearest[a] as number, least);
      nearest[b] = Math.min(nearest[b] as number, least);
    }
  }
  return nearest;
}
