import { isDeepStrictEqual } from 'node:util';
import {
  type ResponseBody,
  type routes,
  tags as tagsSchema,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { validate } from '../../kernel/validate.ts';
import { type Ctx, canReadSpace, type TxCtx } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type MemoryUpdate, saveChanges, withConflictRetry } from './change.ts';
import { publishBulk } from './events.ts';
import { onMemoryChanges } from './hooks.ts';
import { duplicateMemoryError } from './insert.ts';
import { asItemError, toFailedItems } from './item-errors.ts';
import {
  type MemoryRecord,
  requireActiveMemory,
  requireUnprotected,
  uniqueTags,
  withNextRevision,
} from './model.ts';
import { findDuplicate, lockMemories } from './store/memories.ts';
import { applyPatch } from './update.ts';

type Updated = ResponseBody<typeof routes.memories.bulkUpdate>;

export async function bulkUpdate(
  ctx: Ctx,
  { ids, set }: ValidatedRequest<typeof routes.memories.bulkUpdate>['body'],
  confirmed: boolean,
): Promise<Updated> {
  if (set.space_id !== undefined) await requireUsableSpace(ctx, set.space_id);
  const change = (before: MemoryRecord) => applyPatch(before, set);
  return bulkChange(ctx, { ids, confirmed, event: 'memory.bulk_updated', change });
}

/** Adds after what is there, removes first; more than 100 tags on one memory is its fault. */
export async function bulkTags(
  ctx: Ctx,
  { ids, add = [], remove = [] }: ValidatedRequest<typeof routes.memories.bulkTags>['body'],
  confirmed: boolean,
): Promise<Updated> {
  const removed = new Set(remove);
  const change = (before: MemoryRecord): MemoryRecord => {
    const kept = before.tags.filter((tag) => !removed.has(tag));
    return applyPatch(before, {
      tags: validate(tagsSchema, uniqueTags([...kept, ...add]), 'tags'),
    });
  };
  return bulkChange(ctx, { ids, confirmed, event: 'memory.bulk_tags_updated', change });
}

interface BulkChange {
  readonly ids: readonly string[];
  readonly confirmed: boolean;
  readonly event: 'memory.bulk_updated' | 'memory.bulk_tags_updated';
  /** The same record for no change. Throws what is the memory's own fault. */
  readonly change: (before: MemoryRecord) => MemoryRecord;
}

/** Protection is checked per item; each changed memory tells its own memory.updated. */
async function bulkChange(
  ctx: Ctx,
  { ids, confirmed, event, change }: BulkChange,
): Promise<Updated> {
  return withConflictRetry(ctx, async (inTx) => {
    const { picked, faults } = await lockBulkItems(inTx, ids, (record) => {
      requireActiveMemory(record);
      requireUnprotected(record, confirmed);
      return { before: record, after: change(record) };
    });
    const now = inTx.clock.now();
    const done: MemoryRecord[] = [];
    const changes: MemoryUpdate[] = [];
    for (const { index, before, after } of picked) {
      const duplicate = await findDuplicateInTarget(inTx, before, after, changes);
      if (duplicate !== undefined) {
        faults.set(index, duplicateMemoryError(duplicate));
        continue;
      }
      done.push(before);
      if (after !== before) changes.push({ before, after: withNextRevision(after, now) });
    }
    await onMemoryChanges.run(inTx, inTx, changes);
    await saveChanges(inTx, changes, 'memory.updated');
    publishBulk(inTx, event, done);
    return { updated: done.length, failed: toFailedItems(faults, ids) };
  });
}

/** The memory that has its content in the space that it moves to, or moves there with it. */
async function findDuplicateInTarget(
  { tx }: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
  changes: readonly MemoryUpdate[],
): Promise<string | undefined> {
  if (after.space_id === before.space_id || after.content_hash === null) return undefined;
  const moved = changes.find(
    (one) =>
      one.after.space_id === after.space_id &&
      isDeepStrictEqual(one.after.content_hash, after.content_hash),
  );
  return (await findDuplicate(tx, after)) ?? moved?.after.id;
}

/**
 * Locks the named memories, each named once. What is missing or forbidden is a fault, and so is
 * what `pick` throws; the others are given with what it makes of them.
 */
export async function lockBulkItems<T extends object>(
  { tx, actor }: TxCtx,
  ids: readonly string[],
  pick: (record: MemoryRecord) => T,
): Promise<{ picked: (T & { readonly index: number })[]; faults: Map<number, AppError> }> {
  const found = new Map(
    (await lockMemories(tx, actor.accountId, ids)).map((record) => [record.id, record]),
  );
  const faults = new Map<number, AppError>();
  const picked: (T & { readonly index: number })[] = [];
  for (const id of new Set(ids)) {
    const index = ids.indexOf(id);
    const record = found.get(id);
    if (!record) faults.set(index, new AppError('memory_not_found'));
    else if (!canReadSpace(actor, record.space_id)) {
      faults.set(index, new AppError('space_access_denied'));
    } else {
      try {
        picked.push({ ...pick(record), index });
      } catch (error) {
        faults.set(index, asItemError(error));
      }
    }
  }
  return { picked, faults };
}
