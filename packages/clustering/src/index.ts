export { cluster } from './cluster.ts';
export { computeClusterMetrics } from './metrics/metrics.ts';
export { membersOf } from './partition.ts';
export type {
  Clustering,
  ClusterTask,
  EdgeList,
  FoundCluster,
  Metrics,
  MetricsTask,
} from './task.ts';
