import type { Cluster, FieldError, routes, ValidatedRequest } from '@mneme/contract';
import { validationError } from '../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { readVectors } from '../search-index/index.ts';
import { enqueueCentroidRecompute } from './centroid-update.ts';
import { publishClusterDeleted, publishClusterMerged } from './events.ts';
import { clusterNotFoundError, lockCluster } from './lookup.ts';
import { type ClusterRecord, presentCluster, requireClusterAccess } from './model.ts';
import { deleteMemberSets } from './remove.ts';
import { deleteClusters, findClusters, saveCluster } from './store/clusters.ts';
import { findSharedMembers, hasUnsummedMembers, moveMembers } from './store/members.ts';
import { findVectorSums, saveVectorSums, type VectorSumRow } from './store/sums.ts';
import { addToSum, decodeSum, encodeSum } from './vector-sums.ts';

/**
 * Merges other clusters into one and removes them. Throws 404 cluster_not_found, 403
 * space_access_denied, 422 for itself and for clusters of another scope.
 */
export async function mergeClusters(
  ctx: Ctx,
  id: string,
  { source_ids: sourceIds }: ValidatedRequest<typeof routes.clusters.merge>['body'],
): Promise<Cluster> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const target = await lockCluster(inTx, id);
    const sources = await requireUsableSources(inTx, target, sourceIds);
    for (const source of sources) await mergeInto(inTx, target, source);
    await deleteClusters(
      tx,
      actor.accountId,
      sources.map((source) => source.id),
    );
    await deleteMemberSets(
      inTx,
      sources.map(({ member_set_id }) => member_set_id),
    );
    // They describe the former members: a run, or a request for metrics, recomputes them.
    const scores = { silhouette_score: null, dbcv_score: null, cohesion_score: null };
    const now = clock.now();
    await saveCluster(tx, { ...target, ...scores, computed_at: null, updated_at: now });
    const [merged] = await findClusters(tx, actor.accountId, [id]);
    const after = merged ?? target;
    for (const source of sources) publishClusterDeleted(inTx, source);
    publishClusterMerged(
      inTx,
      after,
      sources.map((source) => source.id),
    );
    return presentCluster(after);
  });
}

async function requireUsableSources(
  { tx, actor }: TxCtx,
  target: ClusterRecord,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  const existing = await findClusters(tx, actor.accountId, ids);
  const byId = new Map(existing.map((cluster) => [cluster.id, cluster]));
  const errors = ids.flatMap((id, i): [string, FieldError][] => {
    const source = byId.get(id);
    const message =
      id === target.id
        ? 'must be different from the target cluster'
        : source && target.space_id !== null && source.space_id !== target.space_id
          ? 'must be in the space of the target cluster'
          : null;
    if (message === null) return [];
    return [[`source_ids.${i}`, { code: 'invalid_format', message, received: id }]];
  });
  const sources = [...new Set(ids)].map((id) => {
    const source = byId.get(id);
    if (!source) throw clusterNotFoundError(id);
    requireClusterAccess(actor, source);
    return source;
  });
  if (errors.length > 0) throw validationError(Object.fromEntries(errors));
  return sources;
}

/** Members of both are counted once, and their vectors are in the sum once. */
async function mergeInto(inTx: TxCtx, target: ClusterRecord, source: ClusterRecord): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const sharedMembers = await findSharedMembers(
    tx,
    accountId,
    target.member_set_id,
    source.member_set_id,
  );
  const summedInBoth = sharedMembers.filter(({ both }) => both).map(({ memory_id }) => memory_id);
  const { vectors } = await readVectors(tx, accountId, summedInBoth);
  const sums = await findVectorSums(tx, accountId, [target.id, source.id]);
  const targetSum = sums.find(({ id }) => id === target.id);
  const sourceSum = sums.find(({ id }) => id === source.id);
  if (!targetSum || !sourceSum) return;
  const sum = combineSums(targetSum, sourceSum, [...vectors.values()]);
  const activeInBoth = sharedMembers.filter(({ active }) => active).length;
  await saveVectorSums(tx, accountId, [
    { ...sum, count: (await readMemoryCount(inTx, source)) - activeInBoth },
  ]);
  await moveMembers(tx, accountId, source.member_set_id, target.member_set_id);
  // A job that computes the source's sum ends when the source is removed: the sum may be
  // incomplete.
  const isWhole =
    sum.vector_sum !== null && !(await hasUnsummedMembers(tx, accountId, target.member_set_id));
  if (!isWhole) await enqueueCentroidRecompute(inTx, accountId, target.id);
}

/** The current count, including members merged so far. */
async function readMemoryCount({ tx, actor }: TxCtx, { id }: ClusterRecord): Promise<number> {
  const [cluster] = await findClusters(tx, actor.accountId, [id]);
  return cluster?.memory_count ?? 0;
}

function combineSums(
  own: VectorSumRow,
  other: VectorSumRow,
  summedInBoth: readonly Int8Array[],
): VectorSumRow {
  const [a, b] = [own.vector_sum, other.vector_sum];
  const unknown = { id: own.id, vector_sum: null, vector_model: null };
  if (a === null || b === null) return unknown;
  if (b.length === 0) return own;
  if (a.length === 0) return { ...other, id: own.id };
  if (own.vector_model !== other.vector_model) return unknown;
  const [sum, more] = [decodeSum(a), decodeSum(b)];
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + (more[i] as number);
  for (const vector of summedInBoth) addToSum(sum, vector, -1);
  return { ...own, vector_sum: encodeSum(sum) };
}
