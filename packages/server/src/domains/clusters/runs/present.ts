import type { ClusterAlgorithm, ClusterRun, ClusterRunKind } from '@mneme/contract';
import type { RunRecord } from '../store/runs.ts';

export const presentRun = (run: RunRecord): ClusterRun => ({
  id: run.id,
  kind: run.kind as ClusterRunKind,
  algorithm: run.algorithm as ClusterAlgorithm,
  min_cluster_size: run.min_cluster_size,
  status: run.status as ClusterRun['status'],
  space_id: run.space_id,
  created_at: run.created_at.toISOString(),
  started_at: run.started_at?.toISOString() ?? null,
  completed_at: run.completed_at?.toISOString() ?? null,
  memory_count: run.memory_count,
  cluster_count: run.cluster_count,
  noise_count: run.noise_count,
  sampled_count: run.sampled_count,
  error: run.error,
});
