import type { Cluster, routes, ValidatedRequest } from '@mneme/contract';
import { isForeignKeyViolation } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { publishClusterCreated } from './events.ts';
import { type ClusterRecord, nameTakenError, replyWithETag } from './model.ts';
import { findClusterIdByName, insertClusters, lockClustering } from './store/clusters.ts';

/** Throws 409 conflict (the name is in use), 404 space_not_found, 403 space_access_denied. */
export async function createCluster(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.clusters.create>['body'],
): Promise<Reply<Cluster>> {
  const { accountId } = ctx.actor;
  const spaceId = body.space_id ?? null;
  await requireUsableSpace(ctx, spaceId);
  return withTransaction(ctx, async (inTx) => {
    await lockClustering(inTx.tx, accountId);
    const other = await findClusterIdByName(inTx.tx, accountId, spaceId, body.name);
    if (other !== undefined) throw nameTakenError(body.name, other);
    const now = inTx.clock.now();
    const record: ClusterRecord = {
      ...newClusterFields(inTx.ids),
      account_id: accountId,
      space_id: spaceId,
      type: 'manual',
      name: body.name,
      is_named: true,
      description: body.description ?? null,
      color: body.color ?? null,
      metadata: body.metadata ?? {},
      created_at: now,
      updated_at: now,
    };
    await insertClusters(inTx.tx, accountId, [record]).catch((error: unknown) => {
      // The space was removed after the check.
      if (!isForeignKeyViolation(error, 'clusters_space')) throw error;
      throw new AppError('space_not_found', { details: { space_id: spaceId } });
    });
    publishClusterCreated(inTx, record);
    return replyWithETag(record);
  });
}

/** The fields of an empty cluster. */
export const newClusterFields = (ids: { uuid(): string }) => ({
  id: ids.uuid(),
  member_set_id: ids.uuid(),
  run_id: null,
  memory_count: 0,
  has_centroid: false,
  silhouette_score: null,
  dbcv_score: null,
  cohesion_score: null,
  computed_at: null,
  topic_label: null,
  topic_terms: null,
  representatives: null,
  revision: 1,
});
