import { isDeepStrictEqual } from 'node:util';
import {
  type ResponseBody,
  type routes,
  tags as tagsSchema,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { validate } from '../../kernel/validate.ts';
import { type Ctx, canReadSpace, isOfUser, type TxCtx } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type MemoryUpdate, saveMemoryChanges, withConflictRetry } from './change.ts';
import { publishBulkEvents } from './events.ts';
import { onMemoryChanges } from './hooks.ts';
import { duplicateMemoryError } from './insert.ts';
import { asItemError, toFailedItems } from './item-errors.ts';
import {
  isExpired,
  type MemoryRecord,
  requireActiveMemory,
  requireUnprotected,
  uniqueTags,
  withNextRevision,
} from './model.ts';
import { findDuplicate, lockMemories } from './store/memories.ts';
import { applyMemoryPatch } from './update.ts';

type Updated = ResponseBody<typeof routes.memories.bulkUpdate>;

export async function bulkUpdate(
  ctx: Ctx,
  { ids, set }: ValidatedRequest<typeof routes.memories.bulkUpdate>['body'],
  confirmed: boolean,
): Promise<Updated> {
  if (set.space_id !== undefined) await requireUsableSpace(ctx, set.space_id);
  const change = (before: MemoryRecord) => applyMemoryPatch(before, set);
  return bulkChange(ctx, { ids, confirmed, event: 'memory.bulk_updated', change });
}

/** Adds tags after existing ones, removes first. More than 100 tags on a memory fail that item. */
export async function bulkUpdateTags(
  ctx: Ctx,
  { ids, add = [], remove = [] }: ValidatedRequest<typeof routes.memories.bulkTags>['body'],
  confirmed: boolean,
): Promise<Updated> {
  const removed = new Set(remove);
  const change = (before: MemoryRecord): MemoryRecord => {
    const remaining = before.tags.filter((tag) => !removed.has(tag));
    return applyMemoryPatch(before, {
      tags: validate(tagsSchema, uniqueTags([...remaining, ...add]), 'tags'),
    });
  };
  return bulkChange(ctx, { ids, confirmed, event: 'memory.bulk_tags_updated', change });
}

interface BulkChange {
  readonly ids: readonly string[];
  readonly confirmed: boolean;
  readonly event: 'memory.bulk_updated' | 'memory.bulk_tags_updated';
  /** Returns the same record if nothing changes. Throws errors of the item. */
  readonly change: (before: MemoryRecord) => MemoryRecord;
}

/** Protection is checked per item; each changed memory publishes its own memory.updated. */
async function bulkChange(
  ctx: Ctx,
  { ids, confirmed, event, change }: BulkChange,
): Promise<Updated> {
  return withConflictRetry(ctx, async (inTx) => {
    const { items, itemErrors } = await lockBulkItems(inTx, ids, (record) => {
      requireActiveMemory(record);
      requireUnprotected(record, confirmed);
      return { before: record, after: change(record) };
    });
    const now = inTx.clock.now();
    const unchangedAndChanged: MemoryRecord[] = [];
    const changes: MemoryUpdate[] = [];
    for (const { index, before, after } of items) {
      const duplicate = await findDuplicateInTarget(inTx, before, after, changes);
      if (duplicate !== undefined) {
        itemErrors.set(index, duplicateMemoryError(duplicate));
        continue;
      }
      unchangedAndChanged.push(before);
      if (after !== before) changes.push({ before, after: withNextRevision(after, now) });
    }
    await onMemoryChanges.run(inTx, inTx, changes);
    await saveMemoryChanges(inTx, changes, 'memory.updated');
    publishBulkEvents(inTx, event, unchangedAndChanged);
    return { updated: unchangedAndChanged.length, failed: toFailedItems(itemErrors, ids) };
  });
}

/** An active memory with the same content in the target space, or one moved there by this call. */
export async function findDuplicateInTarget(
  { tx, clock }: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
  changes: readonly MemoryUpdate[],
): Promise<string | undefined> {
  if (after.space_id === before.space_id || after.content_hash === null) return undefined;
  const moved = changes.find(
    (candidate) =>
      candidate.after.space_id === after.space_id &&
      isDeepStrictEqual(candidate.after.content_hash, after.content_hash),
  );
  return (await findDuplicate(tx, after, clock.now())) ?? moved?.after.id;
}

/**
 * Locks the memories, each once. Missing or inaccessible memories are item errors, as are errors
 * that `prepare` throws; the others are returned with its result.
 */
export async function lockBulkItems<T extends object>(
  { tx, actor, clock }: TxCtx,
  ids: readonly string[],
  prepare: (record: MemoryRecord) => T,
): Promise<{ items: (T & { readonly index: number })[]; itemErrors: Map<number, AppError> }> {
  const found = new Map(
    (await lockMemories(tx, actor.accountId, ids)).map((record) => [record.id, record]),
  );
  const itemErrors = new Map<number, AppError>();
  const items: (T & { readonly index: number })[] = [];
  for (const id of new Set(ids)) {
    const index = ids.indexOf(id);
    const record = found.get(id);
    if (!record || isExpired(record, clock.now()) || !isOfUser(actor, record))
      itemErrors.set(index, new AppError('memory_not_found'));
    else if (!canReadSpace(actor, record.space_id)) {
      itemErrors.set(index, new AppError('space_access_denied'));
    } else {
      try {
        items.push({ ...prepare(record), index });
      } catch (error) {
        itemErrors.set(index, asItemError(error));
      }
    }
  }
  return { items, itemErrors };
}
