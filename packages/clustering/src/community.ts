import Random from 'java-random';
import { Clustering, LeidenAlgorithm, Network } from 'networkanalysis-ts';
import type { Partition } from './partition.ts';
import type { EdgeList } from './task.ts';

const iterations = 50;
const randomness = 0.01;

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
  const partition = leiden(count, edges, seed);
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

function leiden(count: number, { from, to, weight }: EdgeList, seed: number): Clustering {
  const network = new Network({
    nNodes: count,
    setNodeWeightsToTotalEdgeWeights: true,
    edges: [[...from], [...to]],
    edgeWeights: [...weight],
    sortedEdges: false,
    checkIntegrity: false,
  });
  // With nodes weighted by their edges, this resolution makes the quality function the modularity.
  const resolution = 1 / (2 * network.getTotalEdgeWeight() + network.getTotalEdgeWeightSelfLinks());
  const algorithm = new LeidenAlgorithm();
  algorithm.initializeBasedOnResolutionAndNIterationsAndRandomnessAndRandom(
    resolution,
    iterations,
    randomness,
    new Random(seed),
  );
  const clustering = new Clustering({ nNodes: count });
  algorithm.improveClustering(network, clustering);
  return clustering;
}
