import type { Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, requireSpace } from '../ctx.ts';
import { indexShelf } from '../index/index.ts';
import { memoriesById, noteAccess, presentMemory } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { spacesOf } from './find.ts';
import { recordsOf } from './records.ts';

type Query = Checked<typeof routes.search.similar>['query'];

/**
 * The active memories whose embeddings are nearest to that of one, itself left out. Throws 404
 * memory_not_found, for a soft-deleted one too, 404 space_not_found, 403 space_access_denied.
 */
export async function findSimilar(
  ctx: Ctx,
  memoryId: string,
  query: Query,
): Promise<Answer<typeof routes.search.similar>> {
  const own = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!own) throw new AppError('memory_not_found');
  requireSpace(ctx.actor, own.space_id);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  const { limit, threshold, session } = query;
  const nearest = await indexShelf.of(ctx).ask({
    kind: 'nearest',
    accountId: ctx.actor.accountId,
    query: { documentId: memoryId, spaces: spacesOf(ctx, query), threshold, limit },
  });
  const near = nearest ?? [];
  const records = await recordsOf(ctx, near);
  const now = ctx.clock.now();
  const results = near.flatMap(({ id, similarity }) => {
    const record = records.get(id);
    return record ? [{ memory: presentMemory(record, now), similarity }] : [];
  });
  const ids = results.map(({ memory }) => memory.id);
  const home = { spaceId: own.space_id, context: { memory_id: memoryId } };
  noteAccess(ctx, ids, { via: 'similar' }, home);
  recordActivation(ctx, session, ids);
  return { memory_id: memoryId, results };
}
