import type { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { newClusterFields } from '../create.ts';
import { publishMap, stageMap } from '../map/stage.ts';
import type { ClusterRecord } from '../model.ts';
import { insertClusters } from '../store/clusters.ts';
import { type RunRecord, updateRun } from '../store/runs.ts';
import type { LabelledClustering } from '../thread/cluster-and-label.ts';
import { runClustering } from '../thread/run-in-thread.ts';
import { loadClusteringInput } from './load-clustering-input.ts';
import { replaceClusters } from './replace.ts';
import { requireRunOwnership } from './run-ownership.ts';
import { fillStagedClusters } from './stage.ts';

const insertBatchSize = 100;

/**
 * Recomputes the clusters of a scope: reads its memories, clusters them in a thread, creates the
 * new clusters hidden, and replaces the former ones in one step.
 */
export async function runFullClustering(
  ctx: Ctx,
  run: RunRecord,
  heartbeat: JobHeartbeat,
): Promise<void> {
  const { ids, task, withoutVectorCount } = await loadClusteringInput(ctx, run, heartbeat);
  const clustering = await runClustering(task, {
    signal: heartbeat.signal,
    onProgress: (share) => {
      if (!heartbeat.signal.aborted) heartbeat.reportProgress(0.1 + 0.7 * share);
    },
  });
  const staged = await stageClusters(ctx, run, clustering, ids);
  await fillStagedClusters(ctx, run, { staged, clustering, ids }, heartbeat);
  await stageMap(ctx, run, { ids, places: clustering.places }, heartbeat);
  const noise = clustering.labels.reduce(
    (count, label) => count + (label < 0 ? 1 : 0),
    withoutVectorCount,
  );
  await withTransaction(ctx, async (inTx) => {
    await requireRunOwnership(inTx, run);
    await replaceClusters(inTx, run, groupMembers(clustering, ids), staged);
    await publishMap(inTx, run);
    await updateRun(inTx.tx, inTx.actor.accountId, run.id, {
      status: 'completed',
      memory_count: ids.length + withoutVectorCount,
      cluster_count: staged.length,
      noise_count: noise,
      sampled_count: clustering.sampled,
      completed_at: inTx.clock.now(),
    });
  });
}

const groupMembers = (found: LabelledClustering, ids: readonly string[]): string[][] => {
  const { clusters, labels } = found;
  const members = clusters.map((): string[] => []);
  for (const [row, label] of labels.entries()) if (label >= 0) members[label]?.push(ids[row] ?? '');
  return members;
};

/** Creates the new clusters without members. */
async function stageClusters(
  ctx: Ctx,
  run: RunRecord,
  { clusters }: LabelledClustering,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  const now = ctx.clock.now();
  const records = clusters.map(
    (cluster): ClusterRecord => ({
      ...newClusterFields(ctx.ids),
      account_id: run.account_id,
      space_id: run.space_id,
      type: run.algorithm,
      name: cluster.label,
      is_named: false,
      description: null,
      color: null,
      metadata: {},
      run_id: run.id,
      silhouette_score: cluster.silhouette,
      dbcv_score: cluster.dbcv,
      cohesion_score: cluster.cohesion,
      computed_at: now,
      topic_label: cluster.label,
      topic_terms: [...cluster.keywords],
      representatives: cluster.representatives.map((row) => ids[row] ?? ''),
      created_at: now,
      updated_at: now,
    }),
  );
  for (let from = 0; from < records.length; from += insertBatchSize) {
    await withTransaction(ctx, async (inTx) => {
      await requireRunOwnership(inTx, run);
      const batch = records.slice(from, from + insertBatchSize);
      await insertClusters(inTx.tx, run.account_id, batch);
    });
  }
  return records;
}
