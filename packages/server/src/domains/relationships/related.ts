import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { type Ctx, canReadSpace } from '../ctx.ts';
import { memoriesById, presentMemory } from '../memories/index.ts';
import { createAdjacency } from './adjacency.ts';
import { requireMemory } from './list.ts';
import { presentRelationship, requireKnownType } from './model.ts';
import { hyphenated, withoutHyphens } from './store/frontier.ts';
import { findRelationships } from './store/relationships.ts';
import { type ReachedMemory, walk } from './walk.ts';

type Query = ValidatedRequest<typeof routes.relationships.related>['query'];
type RelatedResponse = ResponseBody<typeof routes.relationships.related>;

/**
 * Memories within reach of one, best score first, with the relationships that lead to them.
 * Throws 404 memory_not_found, 403 space_access_denied.
 */
export async function listRelated(
  ctx: Ctx,
  memoryId: string,
  query: Query,
): Promise<RelatedResponse> {
  requireKnownType(ctx.actor.settings, query.type);
  const now = ctx.clock.now();
  const extent = { depth: query.depth, nodesMax: limits.graphNodesMax };
  // A soft-deleted start leads nowhere.
  const [found] = await Promise.all([
    walk(withoutHyphens(memoryId), createAdjacency(ctx, query, now), extent),
    requireMemory(ctx, memoryId),
  ]);
  const shown = found.reached.slice(0, query.limit).map(hyphenateIds);
  const truncated = found.truncated || shown.length < found.reached.length;
  const { memories, relationships } = await presentRelated(ctx, shown, now);
  return { memory_id: memoryId, depth: query.depth, memories, relationships, truncated };
}

/** As it is shown to callers. */
const hyphenateIds = ({ id, path, ...rest }: ReachedMemory): ReachedMemory => ({
  ...rest,
  id: hyphenated(id),
  path: path.map(hyphenated),
});

/** What was moved or removed since the walk is left out. */
async function presentRelated(
  ctx: Ctx,
  shown: readonly ReachedMemory[],
  now: Date,
): Promise<Pick<RelatedResponse, 'memories' | 'relationships'>> {
  const ids = shown.map(({ id }) => id);
  const walked = [...new Set(shown.flatMap(({ path }) => path))];
  const [records, links] = await Promise.all([
    memoriesById(ctx, ids),
    findRelationships(ctx.engine.db, ctx.actor.accountId, walked),
  ]);
  const known = new Map(links.map((link) => [link.id, link]));
  const memories = shown.flatMap(({ id, depth, path, score }) => {
    const record = records.get(id);
    const whole = path.every((one) => known.has(one));
    if (!record || !canReadSpace(ctx.actor, record.space_id) || !whole) return [];
    return [{ memory: presentMemory(record, now), depth, path: [...path], score }];
  });
  const used = new Set(memories.flatMap(({ path }) => path));
  const relationships = [...used].flatMap((id) => {
    const link = known.get(id);
    return link ? [presentRelationship(link, now)] : [];
  });
  return { memories, relationships };
}
