import type { Partition } from '../partition.ts';
import { type CondensedCluster, type CondensedTree, condenseDendrogram } from './condensed-tree.ts';
import { buildDendrogram } from './dendrogram.ts';
import { buildSpanningTree, coreDistances, type Points } from './spanning-tree.ts';

export interface HdbscanOptions {
  /** At least 2. */
  readonly minClusterSize: number;
  /** Number of points, including itself, that make a point's neighbourhood dense; at least 1. */
  readonly minSamples: number;
  readonly onProgress?: (share: number) => void;
}

/**
 * HDBSCAN* (Campello, Moulavi and Sander 2013; "Hierarchical Density Estimates for Data Clustering,
 * Visualization, and Outlier Detection", 2015), with clusters selected by excess of mass; the root
 * is never one. The order of the points does not affect the partition.
 */
export function hdbscan(points: Points, options: HdbscanOptions): Partition {
  const { minClusterSize, minSamples, onProgress = () => undefined } = options;
  if (points.values.length === 0) {
    return { labels: new Int32Array(0), probabilities: new Float32Array(0) };
  }
  const cores = coreDistances(points, minSamples);
  onProgress(0.4);
  const tree = buildSpanningTree(points, cores, (share) => onProgress(0.4 + 0.5 * share));
  const condensed = condenseDendrogram(buildDendrogram(tree), minClusterSize);
  const clusters = labelPoints(condensed, selectByExcessOfMass(condensed));
  onProgress(1);
  return clusters;
}

/**
 * Campello et al. 2013, algorithm 3: from the leaves up, a cluster is replaced by its children if
 * the sum of their stabilities is greater than its own. By cluster: the selected cluster that it is
 * or is part of; -1 for replaced ones.
 */
function selectByExcessOfMass({ clusters }: CondensedTree): Int32Array {
  const isSelected = clusters.map(() => false);
  const best = clusters.map(({ stability }) => stability);
  for (let i = clusters.length - 1; i > 0; i -= 1) {
    const { children } = clusters[i] as CondensedCluster;
    const below = children.reduce((sum, child) => sum + (best[child] as number), 0);
    isSelected[i] = children.length === 0 || (best[i] as number) >= below;
    if (!isSelected[i]) best[i] = below;
  }
  const selected = new Int32Array(clusters.length).fill(-1);
  for (const [i, { parent }] of clusters.entries()) {
    const within = parent === null ? -1 : (selected[parent] as number);
    if (within >= 0) selected[i] = within;
    else if (isSelected[i]) selected[i] = i;
  }
  return selected;
}

/** McInnes and Healy 2017: a point's strength is its last density as a share of the maximum. */
function labelPoints(tree: CondensedTree, selected: Int32Array): Partition {
  const labels = new Int32Array(tree.lastCluster.length).fill(-1);
  const probabilities = new Float32Array(labels.length);
  const numbers = new Map<number, number>();
  for (const [point, last] of tree.lastCluster.entries()) {
    const cluster = selected[last] as number;
    if (cluster < 0) continue;
    if (!numbers.has(cluster)) numbers.set(cluster, numbers.size);
    labels[point] = numbers.get(cluster) as number;
    const { death } = tree.clusters[cluster] as CondensedCluster;
    probabilities[point] = Math.min(1, (tree.lastDensity[point] as number) / death);
  }
  return { labels, probabilities };
}
