import { parentPort, workerData } from 'node:worker_threads';
import { computeClusterMetrics } from '@mneme/clustering';
import { clusterAndLabel } from './cluster-and-label.ts';
import type { ThreadMessage, ThreadTask } from './protocol.ts';

/** Minimum difference between two progress messages. */
const progressStep = 0.01;

const { kind, task } = workerData as ThreadTask;
const post = (message: ThreadMessage): void => parentPort?.postMessage(message);

let reportedShare = 0;
const onProgress = (share: number): void => {
  if (share < 1 && share < reportedShare + progressStep) return;
  reportedShare = share;
  post({ progress: share });
};

try {
  post({
    answer: kind === 'cluster' ? clusterAndLabel(task, onProgress) : computeClusterMetrics(task),
  });
} catch (error) {
  post({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
