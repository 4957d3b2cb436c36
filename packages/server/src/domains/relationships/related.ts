import { type Answer, type Checked, limits, type routes } from '@mneme/contract';
import { type Ctx, maySee } from '../ctx.ts';
import { memoriesById, presentMemory } from '../memories/index.ts';
import { groundOf } from './ground.ts';
import { requireMemory } from './list.ts';
import { presentRelationship, requireNameable } from './model.ts';
import { bare, hyphenated } from './store/frontier.ts';
import { findRelationships } from './store.ts';
import { type Reached, walk } from './walk.ts';

type Query = Checked<typeof routes.relationships.related>['query'];
type Related = Answer<typeof routes.relationships.related>;

/**
 * Memories within reach of one, best score first, with the relationships that lead to them.
 * Throws 404 memory_not_found, 403 space_access_denied.
 */
export async function listRelated(ctx: Ctx, memoryId: string, query: Query): Promise<Related> {
  requireNameable(ctx.actor.settings, query.type);
  const now = ctx.clock.now();
  const extent = { depth: query.depth, nodesMax: limits.graphNodesMax };
  // A soft-deleted start leads nowhere.
  const [found] = await Promise.all([
    walk(bare(memoryId), groundOf(ctx, query, now), extent),
    requireMemory(ctx, memoryId),
  ]);
  const shown = found.reached.slice(0, query.limit).map(named);
  const truncated = found.truncated || shown.length < found.reached.length;
  const { memories, relationships } = await present(ctx, shown, now);
  return { memory_id: memoryId, depth: query.depth, memories, relationships, truncated };
}

/** As it is shown to callers. */
const named = ({ id, path, ...rest }: Reached): Reached => ({
  ...rest,
  id: hyphenated(id),
  path: path.map(hyphenated),
});

/** What was moved or removed since the walk is left out. */
async function present(
  ctx: Ctx,
  shown: readonly Reached[],
  now: Date,
): Promise<Pick<Related, 'memories' | 'relationships'>> {
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
    if (!record || !maySee(ctx.actor, record.space_id) || !whole) return [];
    return [{ memory: presentMemory(record, now), depth, path: [...path], score }];
  });
  const used = new Set(memories.flatMap(({ path }) => path));
  const relationships = [...used].flatMap((id) => {
    const link = known.get(id);
    return link ? [presentRelationship(link, now)] : [];
  });
  return { memories, relationships };
}
