import { AppError } from '../../kernel/errors.ts';
import { type Ctx, inTransaction, type TxCtx } from '../ctx.ts';
import { type ClusterRecord, requireReach } from './model.ts';
import { findCluster, lockClustering } from './store/clusters.ts';

export const clusterMissing = (id: string): AppError =>
  new AppError('cluster_not_found', { details: { cluster_id: id } });

/** Throws 404 cluster_not_found, 403 space_access_denied. */
export async function knownCluster(ctx: Ctx, id: string): Promise<ClusterRecord> {
  const db = inTransaction(ctx) ? ctx.tx : ctx.engine.db;
  const cluster = await findCluster(db, ctx.actor.accountId, id);
  if (!cluster) throw clusterMissing(id);
  requireReach(ctx.actor, cluster);
  return cluster;
}

/** The same, and nobody else writes clusters of the account until the transaction ends. */
export async function lockedCluster(inTx: TxCtx, id: string): Promise<ClusterRecord> {
  await lockClustering(inTx.tx, inTx.actor.accountId);
  return knownCluster(inTx, id);
}
