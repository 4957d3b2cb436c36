import { Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../../kernel/script-url.ts';
import type { Clustering, ClusterTask, Metrics, MetricsTask } from './task.ts';

/** What the thread tells. */
export type ClusteringMessage =
  | { readonly progress: number }
  | { readonly answer: unknown }
  | { readonly failed: string };

export interface RunOptions {
  /** Told now and then, with the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Ends the thread; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const entry = resolveScriptUrl(new URL('./thread-main.ts', import.meta.url));

/**
 * In a thread of its own, which ends with it. The same task gives the same clusters. The buffer
 * of `vectors` goes to the thread: it is empty here afterwards.
 */
export const runClustering = (task: ClusterTask, options: RunOptions = {}): Promise<Clustering> =>
  run(task, options) as Promise<Clustering>;

/** Likewise, for clusters that there are already: the metrics of each, in their order. */
export const runMetrics = (task: MetricsTask, options: RunOptions = {}): Promise<Metrics[]> =>
  run(task, options) as Promise<Metrics[]>;

async function run(task: ClusterTask | MetricsTask, options: RunOptions): Promise<unknown> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: task,
    transferList: buffersOf(task),
    name: 'mneme-clusters',
  });
  const ended = Promise.withResolvers<unknown>();
  const stop = (): void => ended.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: ClusteringMessage) => {
    if ('progress' in message) onProgress?.(message.progress);
    else if ('failed' in message) ended.reject(new Error(message.failed));
    else ended.resolve(message.answer);
  });
  worker.on('error', ended.reject);
  worker.on('exit', () => ended.reject(new Error('the thread ended without an answer')));
  try {
    return await ended.promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function buffersOf(task: ClusterTask | MetricsTask): ArrayBuffer[] {
  return [task.vectors.buffer];
}
