import type { Checked, ClusterConfig, routes } from '@mneme/contract';
import { type Ctx, requireSpace, withTransaction } from '../ctx.ts';
import { findSettings, lockClustering, saveSettings } from './store/clusters.ts';

export const readSettings = (ctx: Ctx): Promise<ClusterConfig> =>
  findSettings(ctx.engine.db, ctx.actor.accountId);

/**
 * What is the account's: a key that is limited to spaces changes it only where it may use account
 * level. Throws 403 space_access_denied.
 */
export async function changeSettings(
  ctx: Ctx,
  { algorithm, min_cluster_size, auto_enabled }: Checked<typeof routes.clusters.configure>['body'],
): Promise<ClusterConfig> {
  requireSpace(ctx.actor, null);
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
