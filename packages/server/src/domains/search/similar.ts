import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, requireMemoryAccess } from '../ctx.ts';
import { encodeMemories, memoriesById, presentMemories, recordAccess } from '../memories/index.ts';
import { indexCache } from '../search-index/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { loadVisibleMemories } from './records.ts';
import { searchableOwner, searchableSpaces } from './searchable-spaces.ts';

type Query = ValidatedRequest<typeof routes.search.similar>['query'];

/**
 * The active memories whose embeddings are nearest to those of one memory, excluding it. Throws 404
 * memory_not_found (also for a soft-deleted one), 404 space_not_found, 403 space_access_denied.
 */
export async function findSimilarMemories(
  ctx: Ctx,
  memoryId: string,
  query: Query,
): Promise<ResponseBody<typeof routes.search.similar>> {
  const source = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!source) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, source);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  const { limit, threshold, session, user_id, agent_id, run_id } = query;
  const owner = searchableOwner(ctx.actor, { user_id, agent_id, run_id });
  await encodeMemories(ctx, [memoryId]);
  const nearest = await indexCache.of(ctx).query({
    kind: 'nearest',
    accountId: ctx.actor.accountId,
    query: {
      source: { documentId: memoryId },
      spaces: searchableSpaces(ctx, query),
      owner,
      threshold,
      scale: 'model',
      limit,
    },
  });
  const hits = nearest ?? [];
  const records = await loadVisibleMemories(ctx, hits);
  const memories = await presentMemories(ctx, [...records.values()]);
  const memoryById = new Map(memories.map((memory) => [memory.id, memory]));
  const results = hits.flatMap(({ id, similarity }) => {
    const memory = memoryById.get(id);
    return memory ? [{ memory, similarity }] : [];
  });
  const ids = results.map(({ memory }) => memory.id);
  const home = { spaceId: source.space_id, context: { memory_id: memoryId } };
  recordAccess(ctx, ids, { via: 'similar' }, home);
  recordActivation(ctx, session, ids);
  return { memory_id: memoryId, results };
}
