import { recordErasures } from '../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { Reply } from '../handler.ts';
import { publishClusterDeleted } from './events.ts';
import { lockCluster } from './lookup.ts';
import { deletePoints } from './map/stage.ts';
import { requireETagMatchIfGiven } from './model.ts';
import { clustersOfSpace, deleteClusters, lockClustering } from './store/clusters.ts';
import { deleteMapPointBatch, deleteMaps } from './store/maps.ts';
import { deleteAllClusters, deleteMemberBatch, deleteMemberSetBatch } from './store/members.ts';
import { deleteRunsOfSpace } from './store/runs.ts';

export const eraseMemberSetsKind = 'clusters.erase';
/** Maximum number of rows deleted at once; more are deleted in small steps. */
const inlineRowsMax = 200;

/** Removes a cluster; its memories stay. Throws 404 cluster_not_found, 403, 412. */
export async function removeCluster(
  ctx: Ctx,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<Reply<undefined>> {
  return withTransaction(ctx, async (inTx) => {
    const cluster = await lockCluster(inTx, id);
    requireETagMatchIfGiven(cluster, ifMatch);
    await deleteClusters(inTx.tx, inTx.actor.accountId, [id]);
    await recordErasures(inTx, 'cluster', [id]);
    await deleteMemberSets(inTx, [cluster.member_set_id]);
    publishClusterDeleted(inTx, cluster);
    return new Reply(undefined, { status: 204 });
  });
}

/** Deletes member sets that no cluster uses any more. */
export async function deleteMemberSets(
  { tx, actor, clock, ids }: Pick<TxCtx, 'tx' | 'actor' | 'clock' | 'ids'>,
  setIds: readonly string[],
): Promise<void> {
  if (setIds.length === 0) return;
  const { accountId } = actor;
  const deletedCount = await deleteMemberSetBatch(tx, accountId, setIds, inlineRowsMax);
  if (deletedCount < inlineRowsMax) return;
  const payload = { set_ids: setIds };
  const job = { id: ids.uuid(), accountId, kind: eraseMemberSetsKind, payload, runAt: clock.now() };
  await enqueueJob(tx, { ...job, spaces: null });
}

/** Job: deletes rows of unused member sets, in small steps. */
export async function eraseMemberSets(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const setIds = payload.set_ids as string[];
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const eraseBatch = (rows: number) => deleteMemberSetBatch(app.engine.db, accountId, setIds, rows);
  while ((await adaptiveBatch.run(eraseBatch)) > 0) await job.saveProgress(0.5);
}

/** Deletes the clusters and the map of a removed space. */
export async function removeClustersOfSpace(inTx: TxCtx, spaceId: string): Promise<void> {
  const { tx, actor } = inTx;
  await lockClustering(tx, actor.accountId);
  const clusters = await clustersOfSpace(tx, actor.accountId, spaceId);
  await deleteClusters(
    tx,
    actor.accountId,
    clusters.map(({ id }) => id),
  );
  await deleteMemberSets(
    inTx,
    clusters.map(({ member_set_id }) => member_set_id),
  );
  await deletePoints(inTx, await deleteMaps(tx, actor.accountId, { spaceId }));
  await deleteRunsOfSpace(tx, actor.accountId, spaceId);
  for (const { id, run_id } of clusters) {
    const removed = { account_id: actor.accountId, id, space_id: spaceId, type: 'manual' };
    if (run_id === null) publishClusterDeleted(inTx, removed);
  }
}

/** All clusters and maps of a deleted account. */
export async function eraseAccountClusters(ctx: Ctx, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  const eraseBatch = (rows: number) => deleteMemberBatch(ctx.engine.db, accountId, rows);
  while (await adaptiveBatch.run(eraseBatch)) await job.saveProgress(0.5);
  await deleteAllClusters(ctx.engine.db, accountId);
  const maps = await deleteMaps(ctx.engine.db, accountId);
  const erasePoints = (rows: number) => deleteMapPointBatch(ctx.engine.db, accountId, maps, rows);
  while ((await adaptiveBatch.run(erasePoints)) > 0) await job.saveProgress(0.9);
}
