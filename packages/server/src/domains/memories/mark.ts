import type { Memory, ProtectionLevel } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { changeMemory } from './change.ts';
import { requireActive, requireUnprotected, salienceAt } from './model.ts';
import type { Guard } from './update.ts';

/** Pinned memories do not decay. Salience stops, or starts, from its present value. */
export async function setPinned(
  ctx: Ctx,
  id: string,
  pinned: boolean,
  guard: Guard,
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch: guard.ifMatch }, (before, now) => {
    requireActive(before);
    requireUnprotected(before, guard.confirmed);
    if (before.is_pinned === pinned) return before;
    const salience = salienceAt(before, now);
    const since = salience === null ? null : now;
    return { ...before, is_pinned: pinned, salience, salience_at: since };
  });
}

/** Always allowed, so that hard protection can be taken off again. */
export async function setProtection(
  ctx: Ctx,
  id: string,
  level: ProtectionLevel,
  ifMatch: Guard['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch }, (before) =>
    before.protection_level === level ? before : { ...before, protection_level: level },
  );
}

export async function verifyMemory(
  ctx: Ctx,
  id: string,
  ifMatch: Guard['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch, event: 'memory.verified' }, (before, now) => {
    requireActive(before);
    return { ...before, verified_at: now };
  });
}

/**
 * An active memory comes back unchanged. Throws 409 duplicate_memory when its content was
 * stored again meanwhile.
 */
export async function restoreMemory(
  ctx: Ctx,
  id: string,
  ifMatch: Guard['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch, event: 'memory.restored' }, (before) =>
    before.deleted_at === null ? before : { ...before, deleted_at: null },
  );
}
