import Random from 'java-random';
import { Clustering, LeidenAlgorithm, Network } from 'networkanalysis-ts';
import type { Partition } from './partition.ts';
import type { EdgeList } from './task.ts';

const iterations = 50;
const randomness = 0.01;

interface LeidenOptions {
  readonly seed: number;
  /** Of the modularity: 1 as defined; more gives smaller communities. */
  readonly resolution: number;
  /** The best of so many partitions. */
  readonly attempts: number;
  /** Called after each of them with the completed share. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Communities of maximal modularity (Newman and Girvan 2004), by the Leiden algorithm (Traag,
 * Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", 2019).
 * Rows without edges and rows of communities that are too small are noise. A row's strength is the
 * share of its weight that stays within its community.
 */
export function findCommunities(
  count: number,
  edges: EdgeList,
  minClusterSize: number,
  seed: number,
): Partition {
  const labels = new Int32Array(count).fill(-1);
  const probabilities = new Float32Array(count);
  if (edges.from.length === 0) return { labels, probabilities };
  const partition = leiden(count, edges, { seed, resolution: 1, attempts: 1 });
  const sizes = partition.getNNodesPerCluster();
  const weights = { all: new Float64Array(count), within: new Float64Array(count) };
  for (const [edge, one] of edges.from.entries()) {
    const other = edges.to[edge] as number;
    const isWithin = partition.getCluster(one) === partition.getCluster(other);
    for (const row of [one, other]) {
      const weight = edges.weight[edge] as number;
      weights.all[row] = (weights.all[row] as number) + weight;
      if (isWithin) weights.within[row] = (weights.within[row] as number) + weight;
    }
  }
  for (let row = 0; row < count; row += 1) {
    const community = partition.getCluster(row);
    if ((sizes[community] as number) < minClusterSize) continue;
    labels[row] = community;
    probabilities[row] = (weights.within[row] as number) / (weights.all[row] as number);
  }
  return { labels, probabilities };
}

/** Communities of maximal modularity by the Leiden algorithm. */
export function leiden(
  count: number,
  { from, to, weight }: EdgeList,
  { seed, resolution, attempts, onProgress }: LeidenOptions,
): Clustering {
  const network = new Network({
    nNodes: count,
    setNodeWeightsToTotalEdgeWeights: true,
    edges: [[...from], [...to]],
    edgeWeights: [...weight],
    sortedEdges: false,
    checkIntegrity: false,
  });
  // With nodes weighted by their edges, this resolution makes the quality function the modularity.
  const perWeight = 1 / (2 * network.getTotalEdgeWeight() + network.getTotalEdgeWeightSelfLinks());
  const algorithm = new LeidenAlgorithm();
  algorithm.initializeBasedOnResolutionAndNIterationsAndRandomnessAndRandom(
    resolution * perWeight,
    iterations,
    randomness,
    new Random(seed),
  );
  let best: Clustering | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const clustering = new Clustering({ nNodes: count });
    algorithm.improveClustering(network, clustering);
    const isBetter =
      best === null ||
      algorithm.calcQuality(network, clustering) > algorithm.calcQuality(network, best);
    if (isBetter) best = clustering;
    onProgress?.((attempt + 1) / attempts);
  }
  return best as Clustering;
}
