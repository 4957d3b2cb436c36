import type { Memory } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { chargeResourceQuota } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { Reply } from '../handler.ts';
import { removeDocuments } from '../search-index/index.ts';
import { changeMemory, lockMemory } from './change.ts';
import { publishMemoriesDeleted } from './events.ts';
import { beforeMemoriesErase, onMemoryChanges } from './hooks.ts';
import { type MemoryRecord, requireUnprotected } from './model.ts';
import { deleteMemories } from './store/memories.ts';
import type { WritePreconditions } from './update.ts';

/** Hides a memory from search and lists; a restore makes it active again. */
export async function softDeleteMemory(
  ctx: Ctx,
  id: string,
  guard: WritePreconditions,
): Promise<Reply<Memory>> {
  const options = { ifMatch: guard.ifMatch, event: 'memory.deleted' } as const;
  return changeMemory(ctx, id, options, (before, now) => {
    requireUnprotected(before, guard.confirmed);
    return before.deleted_at === null ? { ...before, deleted_at: now } : before;
  });
}

/** Removes a memory with its vector, terms and feedback permanently. */
export async function removeMemory(
  ctx: Ctx,
  id: string,
  guard: WritePreconditions,
): Promise<Reply<undefined>> {
  return withTransaction(ctx, async (inTx) => {
    const record = await lockMemory(inTx, id, guard.ifMatch);
    requireUnprotected(record, guard.confirmed);
    await eraseLockedMemories(inTx, [record]);
    return new Reply(undefined, { status: 204 });
  });
}

/** Erases locked memories: their rows, and all data derived from them. */
export async function eraseLockedMemories(
  inTx: TxCtx,
  records: readonly MemoryRecord[],
): Promise<void> {
  const { tx, actor } = inTx;
  const ids = records.map(({ id }) => id);
  await beforeMemoriesErase.run(inTx, inTx, ids);
  await chargeResourceQuota(inTx, actor, 'memories', -ids.length);
  await deleteMemories(tx, actor.accountId, ids);
  await recordErasures(inTx, 'memory', ids);
  removeDocuments(inTx, ids);
  publishMemoriesDeleted(inTx, records);
  const changes = records.map((before) => ({ before, after: null }));
  await onMemoryChanges.run(inTx, inTx, changes);
}
