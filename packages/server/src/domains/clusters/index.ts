export { clusterCheck } from './checks.ts';
export { clustersOfMemories, findClustersByWords } from './find.ts';
export { followMemories, leaveClusters } from './follow.ts';
export {
  eraseAccountClusters,
  eraseSets,
  eraseSetsKind,
  removeCluster,
  removeOfSpace,
} from './remove.ts';
export { clusterHandlers } from './routes.ts';
export { autoKind, runByThemselves } from './runs/auto.ts';
export { computeMetrics, metricsKind } from './runs/metrics.ts';
export { cancelRun, canSeeRun, runKind } from './runs/queue.ts';
export { trimRuns } from './runs/read.ts';
export { runClusters } from './runs/run.ts';
export { centroidKind, recomputeCentroid, sumKind, sumUp } from './sum-up.ts';
