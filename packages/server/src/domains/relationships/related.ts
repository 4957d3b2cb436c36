import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { type Ctx, canReadMemory } from '../ctx.ts';
import { memoriesById, presentMemories } from '../memories/index.ts';
import { createAdjacencyReader } from './adjacency.ts';
import { requireMemory } from './list.ts';
import { presentRelationship, requireKnownType } from './model.ts';
import { hyphenated, withoutHyphens } from './store/frontier.ts';
import { findRelationships } from './store/relationships.ts';
import { type ReachedMemory, walkRelationships } from './walk.ts';

type Query = ValidatedRequest<typeof routes.relationships.related>['query'];
type RelatedResponse = ResponseBody<typeof routes.relationships.related>;

/**
 * Memories reachable from one, best score first, with the relationships on their paths.
 * Throws 404 memory_not_found, 403 space_access_denied.
 */
export async function listRelatedMemories(
  ctx: Ctx,
  memoryId: string,
  query: Query,
): Promise<RelatedResponse> {
  requireKnownType(ctx.actor.settings, query.type);
  const now = ctx.clock.now();
  const limitsOfWalk = { depth: query.depth, nodesMax: limits.graphNodesMax };
  // The walk finds nothing from a soft-deleted start.
  const [found] = await Promise.all([
    walkRelationships(
      withoutHyphens(memoryId),
      createAdjacencyReader(ctx, query, now),
      limitsOfWalk,
    ),
    requireMemory(ctx, memoryId),
  ]);
  const page = found.reached.slice(0, query.limit).map(hyphenateIds);
  const truncated = found.truncated || page.length < found.reached.length;
  const { memories, relationships } = await presentRelated(ctx, page, now);
  return { memory_id: memoryId, depth: query.depth, memories, relationships, truncated };
}

/** Formats ids for callers. */
const hyphenateIds = ({ id, path, ...rest }: ReachedMemory): ReachedMemory => ({
  ...rest,
  id: hyphenated(id),
  path: path.map(hyphenated),
});

/** Omits memories and relationships that were moved or removed since the walk. */
async function presentRelated(
  ctx: Ctx,
  reached: readonly ReachedMemory[],
  now: Date,
): Promise<Pick<RelatedResponse, 'memories' | 'relationships'>> {
  const ids = reached.map(({ id }) => id);
  const linkIds = [...new Set(reached.flatMap(({ path }) => path))];
  const [records, links] = await Promise.all([
    memoriesById(ctx, ids),
    findRelationships(ctx.engine.db, ctx.actor.accountId, linkIds),
  ]);
  const linksById = new Map(links.map((link) => [link.id, link]));
  const presented = await presentMemories(
    ctx,
    [...records.values()].filter((record) => canReadMemory(ctx.actor, record)),
  );
  const memoryById = new Map(presented.map((memory) => [memory.id, memory]));
  const memories = reached.flatMap(({ id, depth, path, score }) => {
    const memory = memoryById.get(id);
    const isComplete = path.every((linkId) => linksById.has(linkId));
    return memory && isComplete ? [{ memory, depth, path: [...path], score }] : [];
  });
  const used = new Set(memories.flatMap(({ path }) => path));
  const relationships = [...used].flatMap((id) => {
    const link = linksById.get(id);
    return link ? [presentRelationship(link, now)] : [];
  });
  return { memories, relationships };
}
