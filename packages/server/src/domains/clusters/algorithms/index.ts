export type {
  Clustering,
  ClusterTask,
  EdgeList,
  FoundCluster,
  Keyword,
  Metrics,
  MetricsTask,
} from './task.ts';
export { type RunOptions, runClustering, runMetrics } from './thread.ts';
