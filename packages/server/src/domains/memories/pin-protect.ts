import type { Memory, ProtectionLevel } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { changeMemory } from './change.ts';
import { requireActiveMemory, requireUnprotected, salienceAt } from './model.ts';
import type { WritePreconditions } from './update.ts';

/** Pinned memories do not decay: salience freezes at, or restarts from, its current value. */
export async function setPinned(
  ctx: Ctx,
  id: string,
  pinned: boolean,
  guard: WritePreconditions,
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch: guard.ifMatch }, (before, now) => {
    requireActiveMemory(before);
    requireUnprotected(before, guard.confirmed);
    if (before.is_pinned === pinned) return before;
    const salience = salienceAt(before, now);
    const salienceAtNow = salience === null ? null : now;
    return { ...before, is_pinned: pinned, salience, salience_at: salienceAtNow };
  });
}

/**
 * Always allowed, so that hard protection can be removed. A hard-protected memory never expires.
 */
export async function setProtection(
  ctx: Ctx,
  id: string,
  level: ProtectionLevel,
  ifMatch: WritePreconditions['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch }, (before) => {
    if (before.protection_level === level) return before;
    const expires_at = level === 'hard' ? null : before.expires_at;
    return { ...before, protection_level: level, expires_at };
  });
}

export async function verifyMemory(
  ctx: Ctx,
  id: string,
  ifMatch: WritePreconditions['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch, event: 'memory.verified' }, (before, now) => {
    requireActiveMemory(before);
    return { ...before, verified_at: now };
  });
}

/**
 * Returns an active memory unchanged. Throws 409 duplicate_memory if its content was stored again
 * after the deletion.
 */
export async function restoreMemory(
  ctx: Ctx,
  id: string,
  ifMatch: WritePreconditions['ifMatch'],
): Promise<Reply<Memory>> {
  return changeMemory(ctx, id, { ifMatch, event: 'memory.restored' }, (before) =>
    before.deleted_at === null ? before : { ...before, deleted_at: null },
  );
}
