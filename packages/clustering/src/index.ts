export { computeClusterMetrics } from './metrics/metrics.ts';
export { membersByCluster } from './partition.ts';
export { runClusterTask } from './run-cluster-task.ts';
export type {
  Clustering,
  ClusterMetrics,
  ClusterMetricsTask,
  ClusterTask,
  EdgeList,
  FoundCluster,
} from './task.ts';
