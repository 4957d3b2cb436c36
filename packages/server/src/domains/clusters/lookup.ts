import { AppError } from '../../kernel/errors.ts';
import { type Ctx, isInTransaction, type TxCtx } from '../ctx.ts';
import { type ClusterRecord, requireClusterAccess } from './model.ts';
import { loadOwnedClusters } from './owned.ts';
import { findCluster, lockClustering } from './store/clusters.ts';

export const clusterNotFoundError = (id: string): AppError =>
  new AppError('cluster_not_found', { details: { cluster_id: id } });

/** As the caller may see it. Throws 404 cluster_not_found, 403 space_access_denied. */
export async function requireCluster(ctx: Ctx, id: string): Promise<ClusterRecord> {
  if (ctx.actor.user !== null && !isInTransaction(ctx)) return requireOwnedCluster(ctx, id);
  const db = isInTransaction(ctx) ? ctx.tx : ctx.engine.db;
  const cluster = await findCluster(db, ctx.actor.accountId, id);
  if (!cluster) throw clusterNotFoundError(id);
  requireClusterAccess(ctx.actor, cluster);
  return cluster;
}

async function requireOwnedCluster(ctx: Ctx, id: string): Promise<ClusterRecord> {
  const [cluster] = await loadOwnedClusters(ctx, [id]);
  if (!cluster) throw clusterNotFoundError(id);
  return cluster;
}

/**
 * As `requireCluster`; also blocks other writers of the account's clusters until the transaction
 * ends.
 */
export async function lockCluster(inTx: TxCtx, id: string): Promise<ClusterRecord> {
  await lockClustering(inTx.tx, inTx.actor.accountId);
  return requireCluster(inTx, id);
}
