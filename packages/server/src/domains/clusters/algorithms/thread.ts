import { Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../../kernel/script-url.ts';
import type { Clustering, ClusterTask, Metrics, MetricsTask } from './task.ts';

/** Messages from the thread. */
export type ClusteringMessage =
  | { readonly progress: number }
  | { readonly answer: unknown }
  | { readonly failed: string };

export interface ProgressAndAbortOptions {
  /** Called occasionally with the completed share, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Terminates the thread; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const entry = resolveScriptUrl(new URL('./thread-main.ts', import.meta.url));

/**
 * Runs in a worker thread that ends with it. The same task gives the same clusters. The buffer of
 * `vectors` is transferred to the thread and is empty here afterwards.
 */
export const runClustering = (
  task: ClusterTask,
  options: ProgressAndAbortOptions = {},
): Promise<Clustering> => run(task, options) as Promise<Clustering>;

/** The same for existing clusters: the metrics of each, in their order. */
export const runMetrics = (
  task: MetricsTask,
  options: ProgressAndAbortOptions = {},
): Promise<Metrics[]> => run(task, options) as Promise<Metrics[]>;

async function run(
  task: ClusterTask | MetricsTask,
  options: ProgressAndAbortOptions,
): Promise<unknown> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: task,
    transferList: buffersOf(task),
    name: 'mneme-clusters',
  });
  const result = Promise.withResolvers<unknown>();
  const stop = (): void => result.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: ClusteringMessage) => {
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

function buffersOf(task: ClusterTask | MetricsTask): ArrayBuffer[] {
  return [task.vectors.buffer];
}
