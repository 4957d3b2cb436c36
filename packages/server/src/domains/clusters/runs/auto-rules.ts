/** How much of a scope is in no cluster. */
export interface Clusteredness {
  /** Memories in no manual cluster, which runs cover. */
  readonly covered: number;
  /** Those of them that no run has put anywhere. */
  readonly noise: number;
}

/** So far the share of noise may grow before clusters are found anew. */
const growthMax = 0.1;
/** So many clusters' worth of memories make a first run worth while, and another one. */
const clustersWorth = 2;

const shareOf = ({ covered, noise }: Clusteredness): number => (covered > 0 ? noise / covered : 0);

/** Whether there is enough for a first run. */
export const isWorthRun = ({ covered }: Clusteredness, minClusterSize: number): boolean =>
  covered >= clustersWorth * minClusterSize;

/** Whether the noise has grown since the last full run, by share and by number. */
export const hasGrown = (
  before: Clusteredness,
  now: Clusteredness,
  minClusterSize: number,
): boolean =>
  shareOf(now) >= shareOf(before) + growthMax &&
  now.noise - before.noise >= clustersWorth * minClusterSize;
