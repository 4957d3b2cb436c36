import { Worker } from 'node:worker_threads';
import type { ClusterMetrics, ClusterMetricsTask, ClusterTask } from '@mneme/clustering';
import { resolveScriptUrl } from '../../../kernel/script-url.ts';
import type { LabelledClustering } from './cluster-and-label.ts';
import type { ThreadMessage, ThreadTask } from './protocol.ts';

export interface ProgressAndAbortOptions {
  /** Called occasionally with the completed share, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Terminates the thread; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const entry = resolveScriptUrl(new URL('./entry.ts', import.meta.url));

/**
 * Runs in a worker thread that ends with it. The same task gives the same clusters. The buffer of
 * `vectors` is transferred to the thread and is empty here afterwards.
 */
export const runClustering = (
  task: ClusterTask,
  options: ProgressAndAbortOptions = {},
): Promise<LabelledClustering> =>
  run({ kind: 'cluster', task }, options) as Promise<LabelledClustering>;

/** The same for existing clusters: the metrics of each, in their order. */
export const computeMetricsInThread = (
  task: ClusterMetricsTask,
  options: ProgressAndAbortOptions = {},
): Promise<ClusterMetrics[]> =>
  run({ kind: 'metrics', task }, options) as Promise<ClusterMetrics[]>;

async function run(
  threadTask: ThreadTask,
  { signal, onProgress }: ProgressAndAbortOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: threadTask,
    transferList: [threadTask.task.vectors.buffer],
    name: 'mneme-clusters',
  });
  const result = Promise.withResolvers<unknown>();
  const stop = (): void => result.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: ThreadMessage) => {
    if ('progress' in message) onProgress?.(message.progress);
    else if ('failed' in message) result.reject(new Error(message.failed));
    else result.resolve(message.answer);
  });
  worker.on('error', result.reject);
  worker.on('exit', () => result.reject(new Error('the clustering thread ended without a result')));
  try {
    return await result.promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
