import type { ClusterConfig, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, requireAccountWideAccess, withTransaction } from '../ctx.ts';
import { findClusterSettings, lockClustering, saveClusterSettings } from './store/clusters.ts';

export const readClusterSettings = (ctx: Ctx): Promise<ClusterConfig> =>
  findClusterSettings(ctx.engine.db, ctx.actor.accountId);

/** Affects runs of every space. Throws 403 space_access_denied for a key limited to spaces. */
export async function changeClusterSettings(
  ctx: Ctx,
  {
    algorithm,
    min_cluster_size,
    auto_enabled,
  }: ValidatedRequest<typeof routes.clusters.configure>['body'],
): Promise<ClusterConfig> {
  requireAccountWideAccess(ctx.actor);
  return withTransaction(ctx, async ({ tx, actor }) => {
    const before = await lockClustering(tx, actor.accountId);
    const after = {
      algorithm: algorithm ?? before.algorithm,
      min_cluster_size: min_cluster_size ?? before.min_cluster_size,
      auto_enabled: auto_enabled ?? before.auto_enabled,
    };
    await saveClusterSettings(tx, actor.accountId, after);
    return after;
  });
}
