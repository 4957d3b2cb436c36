import { AppError } from '../../kernel/errors.ts';
import { type Actor, type Ctx, isOfUser, requireSpaceAccess } from '../ctx.ts';
import { findLinkTargets, type LinkTarget } from './store/link-targets.ts';

/**
 * The memories that a request names to link them, in order. Throws 404 memory_not_found before 403
 * space_access_denied, and that before 409 conflict (soft-deleted).
 */
export function requireUsableTargets(
  actor: Actor,
  ids: readonly string[],
  targetsById: ReadonlyMap<string, LinkTarget>,
): LinkTarget[] {
  const memories = ids.map((id) => {
    const target = targetsById.get(id);
    if (target && isOfUser(actor, target)) return target;
    throw new AppError('memory_not_found', { details: { memory_id: id } });
  });
  for (const { space_id } of memories) requireSpaceAccess(actor, space_id);
  for (const { id, deleted_at } of memories) {
    if (deleted_at === null) continue;
    throw new AppError('conflict', {
      message: 'The memory is deleted: restore it first.',
      details: { memory_id: id },
    });
  }
  return memories;
}

/** An early check, of memories that a later transaction links. Throws as requireUsableTargets. */
export async function requireUsableMemories(
  { engine, actor }: Pick<Ctx, 'engine' | 'actor'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const targets = await findLinkTargets(engine.db, actor.accountId, ids);
  requireUsableTargets(actor, ids, new Map(targets.map((target) => [target.id, target])));
}
