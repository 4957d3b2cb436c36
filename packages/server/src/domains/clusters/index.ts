export { clustersOfMemories, findClustersByWords } from './find.ts';
export { importClusterMembers, importClusters } from './import.ts';
export { removeCluster } from './remove.ts';
export { cancelRun, canReadRun, clusterRunJobKind } from './runs/queue.ts';
export { pruneRuns } from './runs/read.ts';
export { executeClusterRun } from './runs/run.ts';
export { findClusters } from './store/clusters.ts';
