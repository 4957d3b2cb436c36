import type { Clustering } from '@mneme/clustering';
import type { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { AdaptiveBatchSize } from '../../../kernel/adaptive-batch-size.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { lockLinkTargets } from '../../memories/index.ts';
import { readVectors } from '../../search-index/index.ts';
import { applyClusterDeltas, ClusterDeltas } from '../centroid-update.ts';
import type { ClusterRecord } from '../model.ts';
import { upsertMembers } from '../store/members.ts';
import type { RunRecord } from '../store/runs.ts';
import { requireRunOwnership } from './run-ownership.ts';

interface StagedResult {
  readonly staged: readonly ClusterRecord[];
  readonly clustering: Pick<Clustering, 'labels' | 'probabilities'>;
  /** By row. */
  readonly ids: readonly string[];
}

interface PlacedMemory {
  readonly id: string;
  readonly cluster: ClusterRecord;
  readonly confidence: number;
}

/**
 * Adds memories to the staged clusters, in small steps. Later changes of a memory update staged
 * clusters like all others; earlier changes are checked here.
 */
export async function fillStagedClusters(
  ctx: Ctx,
  run: RunRecord,
  { staged, clustering, ids }: StagedResult,
  heartbeat: JobHeartbeat,
): Promise<void> {
  const placed = ids.flatMap((id, row): PlacedMemory[] => {
    const cluster = staged[clustering.labels[row] as number];
    if (!cluster) return [];
    return [{ id, cluster, confidence: Math.min(1, clustering.probabilities[row] as number) }];
  });
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  for (let done = 0; done < placed.length; ) {
    await adaptiveBatch.run(async (rows) => {
      const addRows = placed.slice(done, done + rows);
      await addBatch(ctx, run, addRows);
      done += addRows.length;
    });
    heartbeat.reportProgress(0.8 + (0.1 * done) / placed.length);
  }
}

async function addBatch(ctx: Ctx, run: RunRecord, placed: readonly PlacedMemory[]): Promise<void> {
  const { accountId } = ctx.actor;
  await withTransaction(ctx, async (inTx) => {
    const { tx, clock } = inTx;
    const memoryIds = placed.map(({ id }) => id);
    const memories = await lockLinkTargets(tx, accountId, memoryIds);
    const fitting = new Set(
      memories
        .filter(({ deleted_at }) => deleted_at === null)
        .filter(({ space_id }) => run.space_id === null || space_id === run.space_id)
        .map(({ id }) => id),
    );
    await requireRunOwnership(inTx, run);
    const stored = await readVectors(tx, accountId, memoryIds);
    const deltas = new ClusterDeltas();
    const members = placed.filter(({ id }) => fitting.has(id));
    for (const { id: memoryId, cluster } of members) {
      const delta = deltas.of(cluster.id);
      delta.count += 1;
      if (stored.vectors.has(memoryId)) delta.vectors.push({ memoryId, sign: 1 });
    }
    await upsertMembers(
      tx,
      accountId,
      members.map(({ id: memoryId, cluster: { member_set_id: setId }, confidence }) => ({
        setId,
        memoryId,
        confidence,
        isSummed: stored.vectors.has(memoryId),
      })),
      clock.now(),
    );
    await applyClusterDeltas(inTx, accountId, deltas, stored);
  });
}
