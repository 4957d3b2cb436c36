export { clustersOfMemories, findClustersByWords } from './find.ts';
export { removeCluster } from './remove.ts';
export { cancelRun, canReadRun, runKind } from './runs/queue.ts';
export { pruneRuns } from './runs/read.ts';
export { runClusters } from './runs/run.ts';
