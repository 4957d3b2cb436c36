import type {
  BulkChange,
  BulkChangeFilter,
  ResponseBody,
  routes,
  StartBulkChangeBody,
} from '@mneme/contract';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  type Ctx,
  canUseSpaces,
  requestedUser,
  requireSpaceAccess,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import { toMemoryFilter } from '../read.ts';
import {
  type BulkChangeRecord,
  findBulkChange,
  insertBulkChange,
  lockBulkChange,
  updateBulkChange,
} from '../store/bulk-changes.ts';
import { countByProtection, type MemoryFilter } from '../store/list.ts';
import { changesDeleted } from './actions.ts';
import { presentBulkChange, undoUntil } from './present.ts';

export const bulkChangeKind = 'memories.change';
export const undoBulkChangeKind = 'memories.undo_change';

type Answer = ResponseBody<typeof routes.memories.startChange>;

/** Active memories, or deleted ones for a restore. */
export const toChangeFilter = (
  ctx: Pick<Ctx, 'actor' | 'clock'>,
  filter: BulkChangeFilter,
  isDeleted: boolean,
): MemoryFilter => ({
  ...toMemoryFilter(ctx, filter),
  ids: filter.ids,
  metadata: filter.metadata ?? {},
  includeDeleted: isDeleted,
  onlyDeleted: isDeleted,
});

/**
 * Queues a change of all memories that match a filter; or counts them. Throws 404
 * space_not_found, 403 space_access_denied or user_access_denied, 409 conflict (more match than
 * expected).
 */
export async function startBulkChange(ctx: Ctx, body: StartBulkChangeBody): Promise<Reply<Answer>> {
  const { action, count_only: isCount, expected_count: expected } = body;
  // The job acts without the token: its filter has the user whom the token is limited to.
  const user_id = requestedUser(ctx.actor, body.filter.user_id);
  const filter = { ...body.filter, ...(user_id !== undefined && { user_id }) };
  if (filter.space_id !== undefined) await requireUsableSpace(ctx, filter.space_id);
  if (action.space_id !== undefined) await requireUsableSpace(ctx, action.space_id);
  const { engine, actor, clock, ids } = ctx;
  const { accountId } = actor;
  const matching = toChangeFilter(ctx, filter, changesDeleted(action));
  const { none, soft, hard } = await countByProtection(engine.db, accountId, matching);
  const count = none + soft + hard;
  if (expected !== undefined && count > expected) {
    throw new AppError('conflict', {
      message: 'More memories match than expected: count them again.',
      details: { expected_count: expected, count },
    });
  }
  // A count, too, commits its answer under its Idempotency-Key.
  return withTransaction(ctx, async ({ tx }) => {
    if (isCount) return new Reply({ count, soft_protected: soft, hard_protected: hard });
    const now = clock.now();
    const spaces = visibleSpaces(actor);
    const record: BulkChangeRecord = {
      account_id: accountId,
      id: ids.uuid(),
      action,
      spaces,
      user_id: actor.user,
      status: 'queued',
      matched_count: count,
      changed_count: 0,
      skipped_count: 0,
      restored_count: 0,
      left_count: 0,
      created_at: now,
      completed_at: null,
      undone_at: null,
    };
    await insertBulkChange(tx, record);
    const payload = { filter, until: now.toISOString(), confirmed: body.confirm };
    const job = { id: record.id, accountId, kind: bulkChangeKind, payload, spaces, runAt: now };
    await enqueueJob(tx, job);
    return new Reply(presentBulkChange(record), { status: 202 });
  });
}

/** Throws 404 not_found, also for a change of another user, and 403 space_access_denied. */
export async function getBulkChange(ctx: Ctx, id: string): Promise<BulkChange> {
  const record = await findBulkChange(ctx.engine.db, ctx.actor.accountId, id);
  return presentBulkChange(requireAccess(ctx, record));
}

function requireAccess(
  { actor }: Pick<Ctx, 'actor'>,
  record: BulkChangeRecord | undefined,
): BulkChangeRecord {
  const isOfOther = actor.user !== null && record?.user_id !== actor.user;
  if (!record || isOfOther) throw new AppError('not_found');
  if (!canUseSpaces(actor, record.spaces)) {
    for (const space of record.spaces ?? [null]) {
      requireSpaceAccess(actor, space === 'default' ? null : space);
    }
    throw new AppError('space_access_denied');
  }
  return record;
}

/** Queues the undo. Throws 404 not_found, 403 space_access_denied, 409 conflict. */
export async function undoBulkChange(ctx: Ctx, id: string): Promise<Reply<BulkChange>> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, ids } = inTx;
    const { accountId } = actor;
    const record = requireAccess(inTx, await lockBulkChange(tx, accountId, id));
    const now = clock.now();
    requireUndoable(record, now);
    await updateBulkChange(tx, accountId, id, { status: 'undoing' });
    await enqueueJob(tx, {
      id: ids.uuid(),
      accountId,
      kind: undoBulkChangeKind,
      payload: { change_id: id },
      spaces: visibleSpaces(actor),
      runAt: now,
    });
    return new Reply(presentBulkChange({ ...record, status: 'undoing' }), { status: 202 });
  });
}

function requireUndoable(record: BulkChangeRecord, now: Date): void {
  const { status } = record;
  const until = undoUntil(record);
  if (status === 'completed' && until !== null && now <= until) return;
  const reasons: Readonly<Record<string, string>> = {
    completed: 'The time in which the change can be undone is over.',
    undoing: 'The change is already being undone.',
    undone: 'The change is already undone.',
    failed: 'The change failed before it had completed: retry its job first.',
  };
  throw new AppError('conflict', {
    message: reasons[status] ?? `The change is ${status}: wait until it has completed.`,
    details: { change_status: status },
  });
}
