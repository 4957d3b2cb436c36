import type { Memory } from '@mneme/contract';
import { chargeHeld } from '../accounts/index.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import { Reply } from '../handle.ts';
import { removeDocuments } from '../index/index.ts';
import { changeMemory, lockMemory } from './change.ts';
import { announceRemoved } from './events.ts';
import { changedMemories, erasingMemories } from './hooks.ts';
import { requireUnprotected } from './model.ts';
import { deleteMemory } from './store.ts';
import type { Guard } from './update.ts';

/** Takes a memory out of search and lists; restore brings it back. */
export async function softDelete(ctx: Ctx, id: string, guard: Guard): Promise<Reply<Memory>> {
  const options = { ifMatch: guard.ifMatch, event: 'memory.deleted' } as const;
  return changeMemory(ctx, id, options, (before, now) => {
    requireUnprotected(before, guard.confirmed);
    return before.deleted_at === null ? { ...before, deleted_at: now } : before;
  });
}

/** Removes a memory with its vector, terms and feedback; there is no way back. */
export async function removeMemory(ctx: Ctx, id: string, guard: Guard): Promise<Reply<undefined>> {
  return withTransaction(ctx, async (inTx) => {
    const record = await lockMemory(inTx, id, guard.ifMatch);
    requireUnprotected(record, guard.confirmed);
    await erasingMemories.run(inTx, inTx, [id]);
    await chargeHeld(inTx, inTx.actor, 'memories', -1);
    await deleteMemory(inTx.tx, inTx.actor.accountId, id);
    removeDocuments(inTx, [id]);
    announceRemoved(inTx, [record]);
    await changedMemories.run(inTx, inTx, [{ before: record, after: null }]);
    return new Reply(undefined, { status: 204 });
  });
}
