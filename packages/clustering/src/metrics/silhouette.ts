import type { DistanceMatrix } from './distance-matrix.ts';

/**
 * The mean silhouette of each cluster's points (Rousseeuw, "Silhouettes: a graphical aid to the
 * interpretation and validation of cluster analysis", 1987): s = (b − a)/max(a, b) with a the mean
 * distance to the others of the point's cluster, b the least mean distance to those of another; 0
 * for a cluster of one point.
 * @param labels by point, from 0 to `clusters` − 1
 * @returns NaN if there is no other cluster
 */
export function meanSilhouettes(
  { count, values }: DistanceMatrix,
  labels: Int32Array,
  clusters: number,
): Float64Array {
  const sizes = new Int32Array(clusters);
  for (const label of labels) sizes[label] = (sizes[label] as number) + 1;
  const totals = new Float64Array(clusters);
  const sums = new Float64Array(clusters);
  for (let point = 0; point < count; point += 1) {
    sums.fill(0);
    for (let other = 0; other < count; other += 1) {
      const label = labels[other] as number;
      sums[label] = (sums[label] as number) + (values[point * count + other] as number);
    }
    const own = labels[point] as number;
    const value = silhouette(sums, sizes, own);
    totals[own] = (totals[own] as number) + value;
  }
  return totals.map((total, cluster) => total / (sizes[cluster] as number));
}

function silhouette(sums: Float64Array, sizes: Int32Array, own: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let cluster = 0; cluster < sums.length; cluster += 1) {
    const size = sizes[cluster] as number;
    if (cluster !== own && size > 0) nearest = Math.min(nearest, (sums[cluster] as number) / size);
  }
  if (nearest === Number.POSITIVE_INFINITY) return Number.NaN;
  const others = (sizes[own] as number) - 1;
  if (others === 0) return 0;
  const within = (sums[own] as number) / others;
  const larger = Math.max(within, nearest);
  return larger === 0 ? 0 : (nearest - within) / larger;
}
