import type { ClusterConfig, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, requireAccountWideAccess, withTransaction } from '../ctx.ts';
import { findSettings, lockClustering, saveSettings } from './store/clusters.ts';

export const readSettings = (ctx: Ctx): Promise<ClusterConfig> =>
  findSettings(ctx.engine.db, ctx.actor.accountId);

/** Affects runs of every space. Throws 403 space_access_denied for a key limited to spaces. */
export async function changeSettings(
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
    await saveSettings(tx, actor.accountId, after);
    return after;
  });
}
