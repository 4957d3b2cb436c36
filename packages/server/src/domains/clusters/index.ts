export { clustersOfMemories, findClustersByWords } from './find.ts';
export {
  type ImportedCluster,
  importClusterMembers,
  importClusters,
  type MemberToImport,
} from './import.ts';
export type { ClusterRecord } from './model.ts';
export { removeCluster } from './remove.ts';
export { cancelRun, canReadRun, clusterRunJobKind } from './runs/queue.ts';
export { pruneRuns } from './runs/read.ts';
export { executeClusterRun } from './runs/run.ts';
export { findClusters } from './store/clusters.ts';
