import {
  type Clustering,
  type ClusterTask,
  type FoundCluster,
  layoutMap,
  membersByCluster,
  runClusterTask,
} from '@mneme/clustering';
import { extractTopics, type Topic } from './labels.ts';

type LabelledCluster = FoundCluster & Topic;

export interface LabelledClustering extends Clustering {
  readonly clusters: readonly LabelledCluster[];
  /** x and y of each row on the map. */
  readonly places: Float32Array<ArrayBuffer>;
}

/** Share of the progress for finding and describing the clusters; the rest is for the map. */
const clusterShare = 0.6;

/** Finds the clusters of a task, labels each by its texts, and makes the map; deterministic. */
export function clusterAndLabel(
  task: ClusterTask,
  onProgress: (share: number) => void,
): LabelledClustering {
  const found = runClusterTask(task, (share) => onProgress(clusterShare * share));
  const topics = extractTopics(task.texts, membersByCluster(found.labels));
  const clusters = found.clusters.map((each, i) => ({ ...each, ...(topics[i] as Topic) }));
  const places = layoutMap(task, (share) => onProgress(clusterShare + (1 - clusterShare) * share));
  return { ...found, clusters, places };
}
