import type { Dendrogram } from './dendrogram.ts';

/** A cluster of the hierarchy, ignoring splits that only remove a few points. */
export interface CondensedCluster {
  readonly parent: number | null;
  readonly children: number[];
  /** The density, 1/distance, at which it appears. */
  readonly birth: number;
  /** The sum over its points of the density at which each leaves, minus that of its birth. */
  stability: number;
  /** The greatest finite density at which a point leaves it; that of its birth if there is none. */
  death: number;
}

/** Parents are before their children; the root is first. */
export interface CondensedTree {
  readonly clusters: readonly CondensedCluster[];
  /** By point: the last cluster that contains it, and the density at which it leaves that. */
  readonly lastCluster: Int32Array;
  readonly lastDensity: Float64Array;
}

/**
 * Campello et al. 2013, section 4.2, condensed as in McInnes and Healy ("Accelerated Hierarchical
 * Density Based Clustering", 2017): from the root down, a split into two or more parts of at least
 * `minClusterSize` points creates new clusters; otherwise the cluster continues in the part that is
 * large enough, and smaller parts leave it. Identical points separate at infinite density.
 */
export function condenseDendrogram(dendrogram: Dendrogram, minClusterSize: number): CondensedTree {
  const { count, size } = dendrogram;
  const tree = {
    clusters: [newCluster(null, 0)],
    lastCluster: new Int32Array(count),
    lastDensity: new Float64Array(count),
  };
  const open = [{ node: size.length - 1, cluster: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, cluster } = next;
    const current = tree.clusters[cluster] as CondensedCluster;
    const [parts, density] = splitNode(dendrogram, node);
    const large = parts.filter((part) => (size[part] as number) >= minClusterSize);
    for (const part of parts) {
      const isLarge = (size[part] as number) >= minClusterSize;
      if (!isLarge) recordDepartures(tree, dendrogram, part, cluster, density);
      if (!isLarge || large.length > 1) addDeparture(current, density, size[part] as number);
    }
    if (large.length === 1) open.push({ node: large[0] as number, cluster });
    if (large.length < 2) continue;
    for (const part of large) {
      current.children.push(tree.clusters.length);
      open.push({ node: part, cluster: tree.clusters.length });
      tree.clusters.push(newCluster(cluster, density));
    }
  }
  return tree;
}

const newCluster = (parent: number | null, birth: number): CondensedCluster => ({
  parent,
  children: [],
  birth,
  stability: 0,
  death: birth,
});

/** The parts of a node and the density of its split: infinite for a single point. */
function splitNode(
  { count, children, distance }: Dendrogram,
  node: number,
): [readonly number[], number] {
  if (node < count) return [[node], Number.POSITIVE_INFINITY];
  return [children[node - count] as readonly number[], 1 / (distance[node - count] as number)];
}

function addDeparture(cluster: CondensedCluster, density: number, points: number): void {
  cluster.stability += (density - cluster.birth) * points;
  if (density < Number.POSITIVE_INFINITY) cluster.death = Math.max(cluster.death, density);
}

function recordDepartures(
  { lastCluster, lastDensity }: CondensedTree,
  { count, children }: Dendrogram,
  part: number,
  cluster: number,
  density: number,
): void {
  const open = [part];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node >= count) {
      open.push(...(children[node - count] as readonly number[]));
      continue;
    }
    lastCluster[node] = cluster;
    lastDensity[node] = density;
  }
}
