/** Counts of clustered and unclustered memories in a scope. */
export interface ClusterCoverage {
  /** Memories in no manual cluster: these are the input of runs. */
  readonly covered: number;
  /** Those that no run has assigned to a cluster. */
  readonly noise: number;
}

/** Growth of the noise share that triggers a new full run. */
const noiseGrowthMax = 0.1;
/** From this share on, most of a scope is noise. */
const majorityShare = 0.5;
/** Multiple of the minimum cluster size that justifies a run. */
const clustersWorth = 2;

const noiseShare = ({ covered, noise }: ClusterCoverage): number =>
  covered > 0 ? noise / covered : 0;

/** Whether there are enough memories for a first run. */
export const isRunWorthwhile = ({ covered }: ClusterCoverage, minClusterSize: number): boolean =>
  covered >= clustersWorth * minClusterSize;

/**
 * Whether the noise has grown since the last full run: in number, and in share; or to twice the
 * number if most is noise, because its share cannot grow much then.
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
