import { parentPort, workerData } from 'node:worker_threads';
import { cluster } from './cluster.ts';
import { computeClusterMetrics } from './metrics/metrics.ts';
import type { ClusterTask, MetricsTask } from './task.ts';
import type { ClusteringMessage } from './thread.ts';

/** Minimum difference between two progress messages. */
const progressStep = 0.01;

const task = workerData as ClusterTask | MetricsTask;
const post = (message: ClusteringMessage): void => parentPort?.postMessage(message);

let reportedShare = 0;
const onProgress = (share: number): void => {
  if (share < reportedShare + progressStep) return;
  reportedShare = share;
  post({ progress: share });
};

try {
  post({
    answer: task.kind === 'cluster' ? cluster(task, onProgress) : computeClusterMetrics(task),
  });
} catch (error) {
  post({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
