import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireMemoryAccess, visibilityOf } from '../ctx.ts';
import { findLinkTargets, type LinkTarget } from '../memories/index.ts';
import { presentRelationship, requireKnownType } from './model.ts';
import { listRelationshipsOfMemory } from './store/relationships.ts';

/** Also finds soft-deleted memories. Throws 404 memory_not_found, 403 space_access_denied. */
export async function requireMemory(ctx: Ctx, id: string): Promise<LinkTarget> {
  const [memory] = await findLinkTargets(ctx.engine.db, ctx.actor.accountId, [id]);
  if (!memory) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, memory);
  return memory;
}

/** Relationships whose memories are both active and visible, newest first. */
export async function listRelationships(
  ctx: Ctx,
  memoryId: string,
  { direction, type }: ValidatedRequest<typeof routes.relationships.list>['query'],
): Promise<ResponseBody<typeof routes.relationships.list>> {
  requireKnownType(ctx.actor.settings, type);
  await requireMemory(ctx, memoryId);
  const visibility = { accountId: ctx.actor.accountId, visible: visibilityOf(ctx.actor) };
  const now = ctx.clock.now();
  const read = async (side: 'outgoing' | 'incoming') => {
    if (direction !== 'both' && direction !== side) return undefined;
    const rows = await listRelationshipsOfMemory(ctx.engine.db, visibility, memoryId, side, type);
    return rows.map((row) => presentRelationship(row, now));
  };
  const [outgoing, incoming] = [await read('outgoing'), await read('incoming')];
  return {
    memory_id: memoryId,
    ...(outgoing && { outgoing }),
    ...(incoming && { incoming }),
    total: (outgoing?.length ?? 0) + (incoming?.length ?? 0),
  };
}
