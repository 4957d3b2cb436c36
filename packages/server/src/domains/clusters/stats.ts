import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, visibilityOf, visibleSpaces } from '../ctx.ts';
import { type ClusterRecord, fullColor } from './model.ts';
import { loadOwnedClusters } from './owned.ts';
import {
  type ClusterCounts,
  countClusteredMemories,
  countClusters,
  countClustersByColor,
} from './store/lists.ts';

/** Statistics of the clusters and memories that the key may see. */
export async function getClusterStats(
  ctx: Ctx,
  { include = [] }: ValidatedRequest<typeof routes.clusters.stats>['query'],
): Promise<ResponseBody<typeof routes.clusters.stats>> {
  const { engine, actor } = ctx;
  const { accountId } = actor;
  const owned = actor.user === null ? null : await loadOwnedClusters(ctx);
  const { by_type, total, empty, memberships } = owned
    ? countOwned(owned)
    : await countClusters(engine.db, accountId, visibleSpaces(actor));
  const visible = visibilityOf(actor);
  const { memories, clustered } = await countClusteredMemories(engine.db, accountId, visible);
  return {
    total,
    by_type: { manual: 0, hdbscan: 0, bertopic: 0, community: 0, ...by_type },
    empty,
    memberships,
    average_memory_count: total === 0 ? 0 : memberships / total,
    clustered_memories: clustered,
    unclustered_memories: memories - clustered,
    ...(include.includes('color_distribution')
      ? { color_distribution: await colorDistribution(ctx, owned) }
      : {}),
  };
}

/** Clusters with memories of one user; `memory_count` is the number of these. */
const countOwned = (clusters: readonly ClusterRecord[]): ClusterCounts => ({
  by_type: Object.fromEntries(
    [...Map.groupBy(clusters, ({ type }) => type)].map(([type, list]) => [type, list.length]),
  ),
  total: clusters.length,
  empty: 0,
  memberships: clusters.reduce((sum, { memory_count }) => sum + memory_count, 0),
});

/** The most used colours first; different spellings of a colour count as one. */
async function colorDistribution({ engine, actor }: Ctx, owned: readonly ClusterRecord[] | null) {
  const counts = new Map<string | null, number>();
  const visible = visibleSpaces(actor);
  const rows = owned
    ? owned.map(({ color }) => ({ color, count: 1 }))
    : await countClustersByColor(engine.db, actor.accountId, visible);
  for (const { color, count } of rows) {
    const full = color && fullColor(color);
    counts.set(full, (counts.get(full) ?? 0) + count);
  }
  return [...counts]
    .map(([color, count]) => ({ color, count }))
    .sort((a, b) => b.count - a.count || ((a.color ?? '') < (b.color ?? '') ? -1 : 1));
}
