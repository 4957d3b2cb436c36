import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { fullColor } from './model.ts';
import { countClusteredMemories, countClusters, countClustersByColor } from './store/lists.ts';

/** Statistics of the clusters and memories that the key may see. */
export async function getClusterStats(
  ctx: Ctx,
  { include = [] }: ValidatedRequest<typeof routes.clusters.stats>['query'],
): Promise<ResponseBody<typeof routes.clusters.stats>> {
  const { engine, actor } = ctx;
  const visible = visibleSpaces(actor);
  const { by_type, total, empty, memberships } = await countClusters(
    engine.db,
    actor.accountId,
    visible,
  );
  const { memories, clustered } = await countClusteredMemories(engine.db, actor.accountId, visible);
  return {
    total,
    by_type: { manual: 0, hdbscan: 0, bertopic: 0, community: 0, ...by_type },
    empty,
    memberships,
    average_memory_count: total === 0 ? 0 : memberships / total,
    clustered_memories: clustered,
    unclustered_memories: memories - clustered,
    ...(include.includes('color_distribution')
      ? { color_distribution: await colorDistribution(ctx, visible) }
      : {}),
  };
}

/** The most used colours first; different spellings of a colour count as one. */
async function colorDistribution({ engine, actor }: Ctx, visible: readonly string[] | null) {
  const counts = new Map<string | null, number>();
  for (const { color, count } of await countClustersByColor(engine.db, actor.accountId, visible)) {
    const full = color && fullColor(color);
    counts.set(full, (counts.get(full) ?? 0) + count);
  }
  return [...counts]
    .map(([color, count]) => ({ color, count }))
    .sort((a, b) => b.count - a.count || ((a.color ?? '') < (b.color ?? '') ? -1 : 1));
}
