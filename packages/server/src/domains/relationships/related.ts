import { type Answer, type Checked, limits, type routes } from '@mneme/contract';
import { type Ctx, maySee, visibleSpaces } from '../ctx.ts';
import { memoriesById, presentMemory } from '../memories/index.ts';
import { requireMemory } from './list.ts';
import { effectiveWeight, presentRelationship, requireNameable, strengthOf } from './model.ts';
import { findRelationships, readFrontier, type Seen } from './store.ts';
import { type Edge, type Reached, type ReadEdges, walk } from './walk.ts';

type Query = Checked<typeof routes.relationships.related>['query'];
type Related = Answer<typeof routes.relationships.related>;

/**
 * Memories within reach of one, best score first, with the relationships that lead to them.
 * Throws 404 memory_not_found, 403 space_access_denied.
 */
export async function listRelated(ctx: Ctx, memoryId: string, query: Query): Promise<Related> {
  requireNameable(ctx.actor.settings, query.type);
  const start = await requireMemory(ctx, memoryId);
  const seen = { accountId: ctx.actor.accountId, visible: visibleSpaces(ctx.actor) };
  const now = ctx.clock.now();
  const found =
    start.deleted_at === null
      ? await walk(
          memoryId,
          readerOf(ctx, seen, query, { now, pinned: start.is_pinned ? [memoryId] : [] }),
          {
            depth: query.depth,
            nodesMax: limits.graphNodesMax,
          },
        )
      : { reached: [], truncated: false };
  const shown = found.reached.slice(0, query.limit);
  const truncated = found.truncated || shown.length < found.reached.length;
  const { memories, relationships } = await present(ctx, seen, shown, now);
  return { memory_id: memoryId, depth: query.depth, memories, relationships, truncated };
}

/** Reads with one statement for a frontier; `pinned` is the start where it is. */
function readerOf(
  ctx: Ctx,
  seen: Seen,
  query: Query,
  { now, pinned }: { now: Date; pinned: readonly string[] },
): ReadEdges {
  const isPinned = new Set(pinned);
  const least = query.min_weight ?? 0;
  return async (frontier) => {
    const rows = await readFrontier(ctx.engine.db, seen, frontier, query);
    for (const row of rows) if (row.pinned) isPinned.add(row.to);
    return rows.flatMap((row): Edge[] => {
      const weight = effectiveWeight(row, row.pinned || isPinned.has(row.from), now);
      if (weight < least) return [];
      return [{ id: row.id, from: row.from, to: row.to, strength: strengthOf(weight) }];
    });
  };
}

/** What was moved or removed since the walk is left out. */
async function present(
  ctx: Ctx,
  seen: Seen,
  shown: readonly Reached[],
  now: Date,
): Promise<Pick<Related, 'memories' | 'relationships'>> {
  const ids = shown.map(({ id }) => id);
  const records = await memoriesById(ctx, ids);
  const named = [...new Set(shown.flatMap(({ path }) => path))];
  const links = await findRelationships(ctx.engine.db, seen, named);
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
    return link ? [presentRelationship(link, link.pinned, now)] : [];
  });
  return { memories, relationships };
}
