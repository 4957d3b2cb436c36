import { parentPort, workerData } from 'node:worker_threads';
import { cluster } from './cluster.ts';
import { metricsOf } from './metrics/metrics.ts';
import type { ClusterTask, MetricsTask } from './task.ts';
import type { FromThread } from './thread.ts';

/** Between two tellings of progress. */
const leastStep = 0.01;

const task = workerData as ClusterTask | MetricsTask;
const tell = (message: FromThread): void => parentPort?.postMessage(message);

let told = 0;
const onProgress = (share: number): void => {
  if (share < told + leastStep) return;
  told = share;
  tell({ progress: share });
};

try {
  tell({ answer: task.kind === 'cluster' ? cluster(task, onProgress) : metricsOf(task) });
} catch (error) {
  tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
