/** How much of a scope is in no cluster. */
export interface ClusterCoverage {
  /** Memories in no manual cluster, which runs cover. */
  readonly covered: number;
  /** Those of them that no run has put anywhere. */
  readonly noise: number;
}

/** So far the share of noise may grow before clusters are found anew. */
const noiseGrowthMax = 0.1;
/** From here on most of a scope is noise. */
const majorityShare = 0.5;
/** So many clusters' worth of memories make a first run worth while, and another one. */
const clustersWorth = 2;

const noiseShare = ({ covered, noise }: ClusterCoverage): number =>
  covered > 0 ? noise / covered : 0;

/** Whether there is enough for a first run. */
export const isRunWorthwhile = ({ covered }: ClusterCoverage, minClusterSize: number): boolean =>
  covered >= clustersWorth * minClusterSize;

/**
 * Whether the noise has grown since the last full run: by number, and by share; or to twice as much
 * where most is noise, whose share has little room to grow.
 */
export function hasNoiseGrown(
  before: ClusterCoverage,
  now: ClusterCoverage,
  minClusterSize: number,
): boolean {
  if (now.noise - before.noise < clustersWorth * minClusterSize) return false;
  const share = noiseShare(now);
  if (share >= noiseShare(before) + noiseGrowthMax) return true;
  return share >= majorityShare && now.noise >= 2 * before.noise;
}
