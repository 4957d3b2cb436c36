import {
  type Clustering,
  type ClusterTask,
  type FoundCluster,
  membersByCluster,
  runClusterTask,
} from '@mneme/clustering';
import { extractTopics, type Topic } from './labels.ts';

type LabelledCluster = FoundCluster & Topic;

export interface LabelledClustering extends Clustering {
  readonly clusters: readonly LabelledCluster[];
}

/** Share of the progress for finding the clusters; the rest is for describing them. */
const partitionShare = 0.9;

/** Finds the clusters of a task and labels each by its texts; deterministic. */
export function clusterAndLabel(
  task: ClusterTask,
  onProgress: (share: number) => void,
): LabelledClustering {
  const found = runClusterTask(task, (share) => onProgress(partitionShare * share));
  const topics = extractTopics(task.texts, membersByCluster(found.labels));
  const clusters = found.clusters.map((each, i) => ({ ...each, ...(topics[i] as Topic) }));
  onProgress(1);
  return { ...found, clusters };
}
