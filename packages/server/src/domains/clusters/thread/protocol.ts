import type { ClusterMetricsTask, ClusterTask } from '@mneme/clustering';

/** What the thread is started for. */
export type ThreadTask =
  | { readonly kind: 'cluster'; readonly task: ClusterTask }
  | { readonly kind: 'metrics'; readonly task: ClusterMetricsTask };

/** Messages from the thread. */
export type ThreadMessage =
  | { readonly progress: number }
  | { readonly answer: unknown }
  | { readonly failed: string };
