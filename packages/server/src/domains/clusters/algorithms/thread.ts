import type { Clustering, ClusterTask, Metrics, MetricsTask } from './task.ts';

export interface RunOptions {
  /** Told now and then, with the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Ends the thread; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** In a thread of its own, which ends with it. The same task gives the same clusters. */
export declare function runClustering(task: ClusterTask, options?: RunOptions): Promise<Clustering>;

/** Likewise, for clusters that there are already: the metrics of each, in their order. */
export declare function runMetrics(task: MetricsTask, options?: RunOptions): Promise<Metrics[]>;
