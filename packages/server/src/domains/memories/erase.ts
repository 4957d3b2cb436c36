import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { chargeResourceQuota } from '../accounts/index.ts';
import {
  type App,
  type Ctx,
  systemCtx,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { removeDocuments } from '../search-index/index.ts';
import { lockBulkItems } from './bulk-change.ts';
import { type MemoryUpdate, saveMemoryChanges } from './change.ts';
import { publishBulkEvents, publishMemoriesDeleted } from './events.ts';
import { beforeMemoriesErase, beforeMemoriesHide, onMemoryChanges } from './hooks.ts';
import { toFailedItems } from './item-errors.ts';
import { type MemoryRecord, requireUnprotected, withNextRevision } from './model.ts';
import { eraseLockedMemories } from './remove.ts';
import { deleteBulkChangeRows } from './store/bulk-changes.ts';
import { deleteListSnapshots } from './store/list-snapshots.ts';
import {
  deleteErasedMemories,
  deleteSomeMemories,
  lockMemories,
  markMemoriesErased,
} from './store/memories.ts';

export const eraseMemoriesKind = 'memories.erase';

type Deleted = ResponseBody<typeof routes.memories.bulkDelete>;

/**
 * Soft: as a soft delete of each. Hard: one short transaction hides all from every read, and a job
 * erases the rows; the response contains its id.
 */
export async function bulkDelete(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.memories.bulkDelete>['body'],
  confirmed: boolean,
): Promise<Deleted> {
  return withTransaction(ctx, async (inTx) => {
    const { items, itemErrors } = await lockBulkItems(inTx, body.ids, (record) => {
      requireUnprotected(record, confirmed);
      return { record };
    });
    const records = items.map(({ record }) => record);
    const jobId = body.soft ? null : await scheduleErasure(inTx, records);
    if (body.soft) await softDeleteAll(inTx, records);
    publishBulkEvents(inTx, 'memory.bulk_deleted', records);
    return {
      deleted: records.length,
      failed: toFailedItems(itemErrors, body.ids),
      job_id: jobId,
    };
  });
}

async function softDeleteAll(inTx: TxCtx, records: readonly MemoryRecord[]): Promise<void> {
  const now = inTx.clock.now();
  const changes: MemoryUpdate[] = records
    .filter((record) => record.deleted_at === null)
    .map((before) => ({ before, after: withNextRevision({ ...before, deleted_at: now }, now) }));
  await onMemoryChanges.run(inTx, inTx, changes);
  await saveMemoryChanges(inTx, changes, 'memory.deleted');
}

async function scheduleErasure(
  inTx: TxCtx,
  records: readonly MemoryRecord[],
): Promise<string | null> {
  if (records.length === 0) return null;
  const { tx, actor, clock, ids: idGenerator } = inTx;
  const ids = records.map(({ id }) => id);
  const now = clock.now();
  await beforeMemoriesHide.run(inTx, inTx, ids);
  await chargeResourceQuota(inTx, actor, 'memories', -ids.length);
  await markMemoriesErased(tx, actor.accountId, ids, now);
  await recordErasures(inTx, 'memory', ids);
  removeDocuments(inTx, ids);
  publishMemoriesDeleted(inTx, records);
  await onMemoryChanges.run(
    inTx,
    inTx,
    records.map((before) => ({ before, after: null })),
  );
  const id = idGenerator.uuid();
  const { accountId } = actor;
  const job = { id, accountId, kind: eraseMemoriesKind, payload: { ids }, runAt: now };
  await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
  return id;
}

/** Job: erases hidden memories in small steps; a repeated step finds nothing. */
export async function eraseMemories(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  const ids = payload.ids as string[];
  if (accountId === null) return;
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  let processed = 0;
  while (processed < ids.length) {
    await adaptiveBatch.run(async (rows) => {
      const batch = ids.slice(processed, processed + rows);
      processed += batch.length;
      await eraseMarkedMemories(systemCtx(app, accountId), batch);
    });
    await job.saveProgress(processed / ids.length);
  }
}

/** Deletes rows that were marked erased, and dependent data of other domains. */
export const eraseMarkedMemories = (ctx: Ctx, ids: readonly string[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await beforeMemoriesErase.run(inTx, inTx, ids);
    await deleteErasedMemories(inTx.tx, inTx.actor.accountId, ids);
  });

/** Erases existing memories regardless of protection, after a restore. Returns their ids. */
export const reapplyMemoryErasures = (ctx: Ctx, ids: readonly string[]): Promise<string[]> =>
  withTransaction(ctx, async (inTx) => {
    const records = await lockMemories(inTx.tx, inTx.actor.accountId, ids);
    if (records.length > 0) await eraseLockedMemories(inTx, records);
    return records.map(({ id }) => id);
  });

/** Erases all memories of a deleted account. */
export async function eraseAccountMemories(ctx: Ctx, job: RunningJob): Promise<void> {
  await deleteListSnapshots(ctx.engine.db, ctx.actor.accountId);
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  const step = (rows: number) => deleteSomeMemories(ctx.engine.db, ctx.actor.accountId, rows);
  while (await adaptiveBatch.run(step)) await job.saveProgress(0.5);
  const changeStep = (rows: number) =>
    deleteBulkChangeRows(ctx.engine.db, ctx.actor.accountId, rows);
  while (await adaptiveBatch.run(changeStep)) await job.saveProgress(0.9);
}
