export type {
  Clustering,
  ClusterTask,
  EdgeList,
  Metrics,
  MetricsTask,
} from './task.ts';
export { runClustering, runMetrics } from './thread.ts';
