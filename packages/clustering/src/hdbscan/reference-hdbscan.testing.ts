/**
 * HDBSCAN* directly from the definitions of Campello, Moulavi and Sander 2013 and 2015, without a
 * spanning tree: at every distance that occurs, from the greatest down, it recomputes the connected
 * components. Reference for the tests; far too slow for anything else.
 */

interface Cluster {
  points: number[];
  readonly birth: number;
  readonly children: Cluster[];
  /** By point, the density at which it leaves this cluster. */
  readonly leaving: Map<number, number>;
}

export interface ReferenceClustering {
  readonly labels: number[];
  readonly probabilities: number[];
}

type Matrix = readonly (readonly number[])[];

export function referenceHdbscan(
  points: readonly (readonly number[])[],
  minClusterSize: number,
  minSamples: number,
): ReferenceClustering {
  const reach = mutualReachability(points, minSamples);
  const all = points.map((_, i) => i);
  const root: Cluster = { points: all, birth: 0, children: [], leaving: new Map() };
  let active = [root];
  const weights = [...new Set(reach.flatMap((row, i) => row.filter((_, j) => j !== i)))];
  for (const weight of weights.sort((a, b) => b - a)) {
    active = active.flatMap((cluster) => cutEdges(cluster, reach, weight, minClusterSize));
  }
  return toClustering(root.children.flatMap(selected), points.length);
}

/** Definitions 1 and 2. */
function mutualReachability(points: readonly (readonly number[])[], minSamples: number): Matrix {
  const distances = points.map((a) =>
    points.map((b) => Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0))),
  );
  const cores = distances.map(
    (row) => row.toSorted((a, b) => a - b)[Math.min(minSamples, row.length) - 1] ?? 0,
  );
  return distances.map((row, i) =>
    row.map((distance, j) => Math.max(distance, cores[i] ?? 0, cores[j] ?? 0)),
  );
}

/** Removes every edge of that weight at once; returns the clusters that continue. */
function cutEdges(
  cluster: Cluster,
  reach: Matrix,
  weight: number,
  minClusterSize: number,
): Cluster[] {
  const density = 1 / weight;
  const parts = connectedParts(cluster.points, (a, b) => (reach[a]?.[b] ?? 0) < weight);
  const large = parts.filter((part) => part.length >= minClusterSize);
  const staying = large.length === 1 ? (large[0] ?? []) : [];
  for (const point of cluster.points) {
    if (!staying.includes(point)) cluster.leaving.set(point, density);
  }
  if (large.length === 1) {
    cluster.points = staying;
    return [cluster];
  }
  for (const part of large) {
    cluster.children.push({ points: part, birth: density, children: [], leaving: new Map() });
  }
  return cluster.children;
}

function connectedParts(
  points: readonly number[],
  isEdge: (a: number, b: number) => boolean,
): number[][] {
  const left = new Set(points);
  const parts: number[][] = [];
  for (const start of points) {
    if (!left.delete(start)) continue;
    const part = [start];
    for (const at of part) {
      for (const other of [...left]) {
        if (!isEdge(at, other)) continue;
        left.delete(other);
        part.push(other);
      }
    }
    parts.push(part);
  }
  return parts;
}

function stability({ leaving, birth }: Cluster): number {
  return [...leaving.values()].reduce((sum, density) => sum + (density - birth), 0);
}

/** The most stable clusters at and below this one, and the sum of their stabilities. */
function bestOf(cluster: Cluster): { readonly clusters: Cluster[]; readonly mass: number } {
  const below = cluster.children.map(bestOf);
  const mass = below.reduce((sum, each) => sum + each.mass, 0);
  const own = stability(cluster);
  if (below.length === 0 || own >= mass) return { clusters: [cluster], mass: own };
  return { clusters: below.flatMap(({ clusters }) => clusters), mass };
}

const selected = (cluster: Cluster): Cluster[] => bestOf(cluster).clusters;

function toClustering(clusters: readonly Cluster[], count: number): ReferenceClustering {
  const labels = Array.from({ length: count }, () => -1);
  const probabilities = Array.from({ length: count }, () => 0);
  for (const [label, cluster] of clusters.entries()) {
    const finite = [...cluster.leaving.values()].filter(Number.isFinite);
    const death = Math.max(cluster.birth, ...finite);
    for (const [point, density] of cluster.leaving) {
      labels[point] = label;
      probabilities[point] = Math.min(1, density / death);
    }
  }
  return { labels, probabilities };
}
