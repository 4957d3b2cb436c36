import type { Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, visibleSpaces } from '../ctx.ts';
import { findEnds, type MemoryEnd } from '../memories/index.ts';
import { presentRelationship, requireNameable } from './model.ts';
import { listOfMemory } from './store.ts';

/** Also a soft-deleted one. Throws 404 memory_not_found, 403 space_access_denied. */
export async function requireMemory(ctx: Ctx, id: string): Promise<MemoryEnd> {
  const [memory] = await findEnds(ctx.engine.db, ctx.actor.accountId, [id]);
  if (!memory) throw new AppError('memory_not_found');
  requireSpace(ctx.actor, memory.space_id);
  return memory;
}

/** Those whose both ends are active and may be seen, newest first. */
export async function listRelationships(
  ctx: Ctx,
  memoryId: string,
  { direction, type }: Checked<typeof routes.relationships.list>['query'],
): Promise<Answer<typeof routes.relationships.list>> {
  requireNameable(ctx.actor.settings, type);
  await requireMemory(ctx, memoryId);
  const seen = { accountId: ctx.actor.accountId, visible: visibleSpaces(ctx.actor) };
  const now = ctx.clock.now();
  const read = async (side: 'outgoing' | 'incoming') => {
    if (direction !== 'both' && direction !== side) return undefined;
    const rows = await listOfMemory(ctx.engine.db, seen, memoryId, side, type);
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
