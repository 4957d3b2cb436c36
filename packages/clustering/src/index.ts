export { layoutMap } from './layout-map.ts';
export { computeClusterMetrics } from './metrics/metrics.ts';
export { membersByCluster } from './partition.ts';
export {
  type MapPoint,
  type PlacedNeighbour,
  placeAmongNeighbours,
  placingNeighbours,
} from './place-among-neighbours.ts';
export { runClusterTask } from './run-cluster-task.ts';
export type {
  Clustering,
  ClusterMetrics,
  ClusterMetricsTask,
  ClusterTask,
  EdgeList,
  FoundCluster,
} from './task.ts';
