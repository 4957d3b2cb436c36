import { type BulkAction, bulkChangeFilter } from '@mneme/contract';
import type { Tx } from '../../../database/index.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../../kernel/adaptive-batch-size.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { type App, type Ctx, canReadSpace, systemCtx, type TxCtx } from '../../ctx.ts';
import { findExistingSpaces } from '../../spaces/index.ts';
import { findDuplicateInTarget } from '../bulk-change.ts';
import { type MemoryUpdate, saveMemoryChanges, withConflictRetry } from '../change.ts';
import { publishBulkEvents } from '../events.ts';
import { onMemoryChanges } from '../hooks.ts';
import { isExpired, type MemoryRecord, withNextRevision } from '../model.ts';
import {
  addToBulkChange,
  type BulkChangeItem,
  type BulkChangeRecord,
  findBulkChange,
  insertBulkChangeItems,
  listBulkChangeItems,
  pruneBulkChangeRows,
  takeBulkChangeItems,
  updateBulkChange,
} from '../store/bulk-changes.ts';
import { listIdsAfter, type MemoryFilter } from '../store/list.ts';
import { findDuplicate, lockMemories } from '../store/memories.ts';
import {
  applyAction,
  bulkEventOf,
  changesDeleted,
  eventOf,
  fieldsAsJson,
  inverseOf,
  undoAction,
} from './actions.ts';
import { undoHours } from './present.ts';
import { toChangeFilter } from './start.ts';

export const pruneBulkChangesKind = 'memories.prune_changes';
/** For so long a change can be read. */
const changeDays = 30;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

interface Payload {
  readonly filter: unknown;
  /** What was created later stays as it is. */
  readonly until: string;
  readonly confirmed: boolean;
  /** The last memory that a step has read. */
  readonly after?: string;
}

/** Job: changes what a filter matches in small steps. Continues after a crash where it stopped. */
export const runBulkChange = (app: App, job: RunningJob): Promise<void> =>
  withFinalStatus(app, job, { id: job.id, status: 'failed' }, () => changeAll(app, job));

/** Sets the status of the change if the job fails and is not tried again. */
async function withFinalStatus(
  { engine }: App,
  { accountId, isLastAttempt }: RunningJob,
  { id, status }: { readonly id: string; readonly status: 'failed' | 'completed' },
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isLastAttempt && accountId !== null && !(error instanceof LeaseLost)) {
      await updateBulkChange(engine.db, accountId, id, { status });
    }
    throw error;
  }
}

async function changeAll(app: App, job: RunningJob): Promise<void> {
  if (job.accountId === null) return;
  const ctx = systemCtx(app, job.accountId, job.spaces);
  const change = await findBulkChange(app.engine.db, job.accountId, job.id);
  if (!change) return;
  await updateBulkChange(app.engine.db, job.accountId, job.id, { status: 'running' });
  const payload = job.payload as unknown as Payload;
  const filter = toChangeFilter(
    ctx,
    bulkChangeFilter.parse(payload.filter),
    changesDeleted(change.action),
  );
  const createdUntil = new Date(payload.until);
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  let { after = beforeAllIds } = payload;
  let done = 0;
  const step = async (limit: number): Promise<boolean> => {
    const page = { after, createdUntil, limit };
    const ids = await listIdsAfter(app.engine.db, change.account_id, filter, page);
    const last = ids.at(-1);
    if (last === undefined) return false;
    const share = Math.min(0.99, (done + ids.length) / Math.max(1, change.matched_count));
    // With the step: a crash in between would count what was skipped twice.
    const saveProgress = (tx: Tx) => job.saveProgress(share, { ...job.payload, after: last }, tx);
    await changeBatch(ctx, change, { ids, filter, confirmed: payload.confirmed, saveProgress });
    after = last;
    done += ids.length;
    return true;
  };
  while (await adaptiveBatch.run(step));
  const completed = { status: 'completed', completed_at: app.clock.now() };
  await updateBulkChange(app.engine.db, job.accountId, job.id, completed);
}

interface Batch {
  readonly ids: readonly string[];
  readonly filter: MemoryFilter;
  readonly confirmed: boolean;
  readonly saveProgress: (tx: Tx) => Promise<void>;
}

/** Memories that no longer match when they are locked, or cannot be changed, stay as they are. */
const changeBatch = (ctx: Ctx, change: BulkChangeRecord, batch: Batch): Promise<void> =>
  withConflictRetry(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { action, id } = change;
    const now = clock.now();
    const locked = await lockMemories(tx, actor.accountId, batch.ids);
    const still = { ...batch.filter, ids: locked.map((record) => record.id) };
    const page = { after: beforeAllIds, limit: locked.length };
    const matching = new Set(
      locked.length === 0 ? [] : await listIdsAfter(tx, actor.accountId, still, page),
    );
    const changes: MemoryUpdate[] = [];
    const moved: MemoryRecord[] = [];
    let skipped = 0;
    for (const before of locked.filter((record) => matching.has(record.id))) {
      const after = tryAction(before, action, { confirmed: batch.confirmed, now });
      if (after === before) continue;
      if (after === null || (await isDuplicate(inTx, before, after, changes))) {
        skipped += 1;
        continue;
      }
      changes.push({ before, after: withNextRevision(after, now) });
      moved.push(before);
    }
    await save(inTx, changes, action.type);
    await insertBulkChangeItems(tx, actor.accountId, id, changes.map(itemOf(action)));
    const counts = { changed_count: changes.length, skipped_count: skipped };
    await addToBulkChange(tx, actor.accountId, id, counts);
    await batch.saveProgress(tx);
  });

const itemOf =
  ({ type }: BulkAction) =>
  ({ before, after }: MemoryUpdate): BulkChangeItem => ({
    memory_id: before.id,
    before: fieldsAsJson(before, type),
    after: fieldsAsJson(after, type),
  });

/** Null: the memory is protected, or would have too many tags. */
function tryAction(
  before: MemoryRecord,
  action: BulkAction,
  options: Parameters<typeof applyAction>[2],
): MemoryRecord | null {
  try {
    return applyAction(before, action, options);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Whether another active memory of the space has the content, or a memory of the same step. */
async function isDuplicate(
  inTx: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
  changes: readonly MemoryUpdate[],
): Promise<boolean> {
  if (before.deleted_at !== null && after.deleted_at === null) {
    const found = await findDuplicate(inTx.tx, after, inTx.clock.now());
    return found !== undefined && found !== after.id;
  }
  return (await findDuplicateInTarget(inTx, before, after, changes)) !== undefined;
}

async function save(
  inTx: TxCtx,
  changes: readonly MemoryUpdate[],
  type: BulkAction['type'],
): Promise<void> {
  if (changes.length === 0) return;
  await onMemoryChanges.run(inTx, inTx, [...changes]);
  await saveMemoryChanges(inTx, changes, eventOf[type]);
  publishBulkEvents(
    inTx,
    bulkEventOf(type),
    changes.map(({ after }) => after),
  );
}

/**
 * Job: restores the changed fields that nobody has changed since, in small steps. What a failed
 * undo has not reached can be undone by another one.
 */
export async function runUndo(app: App, job: RunningJob): Promise<void> {
  const id = job.payload.change_id as string;
  await withFinalStatus(app, job, { id, status: 'completed' }, () => undoAll(app, job, id));
}

async function undoAll(app: App, job: RunningJob, id: string): Promise<void> {
  if (job.accountId === null) return;
  const ctx = systemCtx(app, job.accountId, job.spaces);
  const { accountId } = ctx.actor;
  const change = await findBulkChange(app.engine.db, accountId, id);
  if (change?.status !== 'undoing') return;
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  let done = change.restored_count + change.left_count;
  const step = async (limit: number): Promise<boolean> => {
    const count = await undoBatch(ctx, change, limit);
    done += count;
    await job.saveProgress(Math.min(0.99, done / Math.max(1, change.changed_count)));
    return count > 0;
  };
  while (await adaptiveBatch.run(step));
  await leaveErased(ctx, id);
  const undone = { status: 'undone', undone_at: app.clock.now() };
  await updateBulkChange(app.engine.db, accountId, id, undone);
}

/** Memories that were erased since have no items any more: they are left alone, too. */
async function leaveErased(ctx: Ctx, id: string): Promise<void> {
  const { engine, actor } = ctx;
  const change = await findBulkChange(engine.db, actor.accountId, id);
  if (!change) return;
  const left = change.changed_count - change.restored_count - change.left_count;
  if (left > 0) await addToBulkChange(engine.db, actor.accountId, id, { left_count: left });
}

/** Undoes some items and deletes them, so that none is undone twice; returns how many. */
const undoBatch = (ctx: Ctx, { id, action }: BulkChangeRecord, limit: number): Promise<number> =>
  withConflictRetry(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const now = clock.now();
    const ids = await listBulkChangeItems(tx, actor.accountId, id, limit);
    // Memories are locked before their items, as an erasure does.
    const locked = await lockMemories(tx, actor.accountId, ids);
    const items = await takeBulkChangeItems(tx, actor.accountId, id, ids);
    const byId = new Map(items.map((item) => [item.memory_id, item]));
    const spaces = items.flatMap(({ before }) =>
      typeof before.space_id === 'string' ? [before.space_id] : [],
    );
    const existing = await findExistingSpaces(tx, actor.accountId, [...new Set(spaces)]);
    const changes: MemoryUpdate[] = [];
    for (const record of locked) {
      const item = byId.get(record.id);
      if (!item || isExpired(record, now) || !canReadSpace(actor, record.space_id)) continue;
      const former = undoAction(record, action.type, item, now);
      if (former === null) continue;
      if (former.space_id !== null && former.space_id !== record.space_id) {
        if (!existing.has(former.space_id)) continue;
      }
      if (await isDuplicate(inTx, record, former, changes)) continue;
      changes.push({ before: record, after: withNextRevision(former, now) });
    }
    await save(inTx, changes, inverseOf(action.type));
    const counts = { restored_count: changes.length, left_count: items.length - changes.length };
    await addToBulkChange(tx, actor.accountId, id, counts);
    return ids.length;
  });

/** Job: deletes what is stored to undo changes whose time is over, and in the end the changes. */
export async function pruneBulkChanges(app: App, job: RunningJob): Promise<void> {
  const now = app.clock.now().getTime();
  const undoable = new Date(now - 2 * undoHours * 3_600_000);
  const known = new Date(now - changeDays * 86_400_000);
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const prune = (rows: number) =>
    pruneBulkChangeRows(app.engine.db, { undoable, known, limit: rows });
  while ((await adaptiveBatch.run(prune)) > 0) await job.saveProgress(0.5);
}
