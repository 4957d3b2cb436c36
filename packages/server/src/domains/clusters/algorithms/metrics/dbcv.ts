import type { DistanceMatrix } from './distances.ts';

interface Tree {
  /** Of the points of a cluster, those that more than one edge leads to. */
  readonly internal: readonly number[];
  /** The longest edge between internal points; of all edges where there is none. */
  readonly sparseness: number;
}

/**
 * The validity of each cluster (Moulavi, Jaskowiak, Campello, Zimek and Sander, "Density-Based
 * Clustering Validation", 2014): (separation − sparseness)/max of both, −1 to 1. Sparseness is the
 * longest internal edge of the cluster's minimum spanning tree by mutual reachability (definitions
 * 2 to 5), separation the least mutual reachability between its internal points and another's (6).
 * As in the authors' program all edges and points count where none is internal.
 * @param labels by point, from 0 to `clusters` − 1
 * @param dimension of the space that the distances come from
 * @returns NaN for a cluster of one point, and where there is no other
 */
export function validities(
  matrix: DistanceMatrix,
  labels: Int32Array,
  clusters: number,
  dimension: number,
): Float64Array {
  const members: number[][] = Array.from({ length: clusters }, () => []);
  for (const [point, label] of labels.entries()) members[label]?.push(point);
  const cores = new Float64Array(matrix.count);
  for (const points of members) setCores(cores, matrix, points, dimension);
  const trees = members.map((points) => treeOf(matrix, cores, points));
  const separation = separations(matrix, cores, trees);
  return Float64Array.from(trees, ({ sparseness }, cluster) => {
    const apart = separation[cluster] as number;
    if ((members[cluster]?.length ?? 0) < 2 || apart === Number.POSITIVE_INFINITY)
      return Number.NaN;
    const larger = Math.max(apart, sparseness);
    return larger === 0 ? 0 : (apart - sparseness) / larger;
  });
}

/**
 * Definition 1: ((Σ d^−D)/(n − 1))^(−1/D) over the distances d to the others of the cluster, as
 * multiples of the least so that no power runs over.
 */
function setCores(
  cores: Float64Array,
  { count, values }: DistanceMatrix,
  points: readonly number[],
  dimension: number,
): void {
  for (const point of points) {
    const others = points
      .filter((other) => other !== point)
      .map((other) => values[point * count + other] as number);
    const least = others.reduce((min, distance) => Math.min(min, distance), Infinity);
    const sum = others.reduce((all, distance) => all + (least / distance) ** dimension, 0);
    const isAlone = others.length === 0 || least === 0;
    cores[point] = isAlone ? 0 : least * (sum / others.length) ** (-1 / dimension);
  }
}

/** Prim's algorithm on the mutual reachability of the cluster's points. */
function treeOf(
  { count, values }: DistanceMatrix,
  cores: Float64Array,
  points: readonly number[],
): Tree {
  const edges: { from: number; to: number; weight: number }[] = [];
  const outside = new Set(points.slice(1));
  const nearest = new Map<number, { from: number; weight: number }>();
  for (let last = points[0]; last !== undefined && outside.size > 0; ) {
    let best: number | undefined;
    let bestWeight = Number.POSITIVE_INFINITY;
    for (const point of outside) {
      const distance = values[last * count + point] as number;
      const reach = Math.max(distance, cores[last] as number, cores[point] as number);
      const known = nearest.get(point);
      if (!known || reach < known.weight) nearest.set(point, { from: last, weight: reach });
      const weight = Math.min(reach, known?.weight ?? reach);
      if (best === undefined || weight < bestWeight) [best, bestWeight] = [point, weight];
    }
    const to = best as number;
    edges.push({ from: nearest.get(to)?.from as number, to, weight: bestWeight });
    outside.delete(to);
    last = to;
  }
  const degrees = new Map<number, number>();
  for (const end of edges.flatMap(({ from, to }) => [from, to])) {
    degrees.set(end, (degrees.get(end) ?? 0) + 1);
  }
  const isInternal = (point: number): boolean => (degrees.get(point) ?? 0) > 1;
  const internal = points.filter(isInternal);
  const within = edges.filter(({ from, to }) => isInternal(from) && isInternal(to));
  const counted = within.length > 0 ? within : edges;
  return {
    internal: internal.length > 0 ? internal : points,
    sparseness: counted.reduce((longest, { weight }) => Math.max(longest, weight), 0),
  };
}

/** By cluster, how near the nearest other one comes. */
function separations(
  { count, values }: DistanceMatrix,
  cores: Float64Array,
  trees: readonly Tree[],
): Float64Array {
  const nearest = new Float64Array(trees.length).fill(Number.POSITIVE_INFINITY);
  for (const [a, { internal }] of trees.entries()) {
    for (let b = 0; b < a; b += 1) {
      let least = Number.POSITIVE_INFINITY;
      for (const point of internal) {
        for (const other of (trees[b] as Tree).internal) {
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
