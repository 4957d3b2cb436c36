import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from './model.ts';
import { countInSpace, findMemories, idsContaining, idsWithMetadata } from './store.ts';

/** Active memories by id, for domains that found them by their own means. */
export async function memoriesById(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, MemoryRecord>> {
  if (ids.length === 0) return new Map();
  const records = await findMemories(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map((record) => [record.id, record]));
}

export const memoriesContaining = (
  ctx: Ctx,
  ids: readonly string[],
  phrases: readonly string[],
): Promise<Set<string>> => idsContaining(ctx.engine.db, ctx.actor.accountId, ids, phrases);

export const memoriesWithMetadata = (
  ctx: Ctx,
  pairs: Readonly<Record<string, string>>,
): Promise<Set<string>> => idsWithMetadata(ctx.engine.db, ctx.actor.accountId, pairs);

/** Refuses to let a space go that holds memories, also soft-deleted ones: they could return. */
export async function requireNoMemories(inTx: TxCtx, spaceId: string): Promise<void> {
  const { active, deleted } = await countInSpace(inTx.tx, inTx.actor.accountId, spaceId);
  if (active + deleted === 0) return;
  throw new AppError('space_not_empty', {
    details: { count: active + deleted, soft_deleted: deleted },
  });
}
