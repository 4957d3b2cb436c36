import type { Cluster, FieldError, routes, ValidatedRequest } from '@mneme/contract';
import { validationError } from '../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { readVectors } from '../search-index/index.ts';
import { enqueueRecompute } from './centroid-update.ts';
import { publishClusterDeleted, publishClusterMerged } from './events.ts';
import { clusterNotFoundError, lockCluster } from './lookup.ts';
import { type ClusterRecord, presentCluster, requireClusterAccess } from './model.ts';
import { deleteMemberSets } from './remove.ts';
import { deleteClusters, findClusters, saveCluster } from './store/clusters.ts';
import { findSharedMembers, hasUnsummedMembers, moveMembers } from './store/members.ts';
import { findSums, saveSums, type VectorSumRow } from './store/sums.ts';
import { addToSum, decodeSum, encodeSum } from './vector-sums.ts';

/**
 * Takes in the other clusters, which are removed. Throws 404 cluster_not_found, 403
 * space_access_denied, 422 for itself and for clusters of another scope.
 */
export async function mergeClusters(
  ctx: Ctx,
  id: string,
  { source_ids: named }: ValidatedRequest<typeof routes.clusters.merge>['body'],
): Promise<Cluster> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const target = await lockCluster(inTx, id);
    const sources = await requireUsableSources(inTx, target, named);
    for (const source of sources) await mergeInto(inTx, target, source);
    await deleteClusters(
      tx,
      actor.accountId,
      sources.map((source) => source.id),
    );
    await deleteMemberSets(
      inTx,
      sources.map(({ set_id }) => set_id),
    );
    // Of the former members: a run, or whoever asks, computes them anew.
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
  const found = await findClusters(tx, actor.accountId, ids);
  const byId = new Map(found.map((cluster) => [cluster.id, cluster]));
  const faults = ids.flatMap((id, i): [string, FieldError][] => {
    const source = byId.get(id);
    const message =
      id === target.id
        ? 'must be another cluster than the one that takes it in'
        : source && target.space_id !== null && source.space_id !== target.space_id
          ? 'must be a cluster of the space of the one that takes it in'
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
  if (faults.length > 0) throw validationError(Object.fromEntries(faults));
  return sources;
}

/** Who is in both is counted once, and its vector is in the sum once. */
async function mergeInto(inTx: TxCtx, target: ClusterRecord, source: ClusterRecord): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const shared = await findSharedMembers(tx, accountId, target.set_id, source.set_id);
  const twice = shared.filter(({ both }) => both).map(({ memory_id }) => memory_id);
  const { vectors } = await readVectors(tx, accountId, twice);
  const sums = await findSums(tx, accountId, [target.id, source.id]);
  const own = sums.find(({ id }) => id === target.id);
  const other = sums.find(({ id }) => id === source.id);
  if (!own || !other) return;
  const sum = combineSums(own, other, [...vectors.values()]);
  const again = shared.filter(({ active }) => active).length;
  await saveSums(tx, accountId, [{ ...sum, count: (await readMemoryCount(inTx, source)) - again }]);
  await moveMembers(tx, accountId, source.set_id, target.set_id);
  // A job may be computing the source's sum: it ends with the source, before it has added all.
  const isWhole =
    sum.vector_sum !== null && !(await hasUnsummedMembers(tx, accountId, target.set_id));
  if (!isWhole) await enqueueRecompute(inTx, accountId, target.id);
}

/** As it is by now, with what it may have taken in. */
async function readMemoryCount({ tx, actor }: TxCtx, { id }: ClusterRecord): Promise<number> {
  const [cluster] = await findClusters(tx, actor.accountId, [id]);
  return cluster?.memory_count ?? 0;
}

function combineSums(
  own: VectorSumRow,
  other: VectorSumRow,
  twice: readonly Int8Array[],
): VectorSumRow {
  const [a, b] = [own.vector_sum, other.vector_sum];
  const unknown = { id: own.id, vector_sum: null, vector_model: null };
  if (a === null || b === null) return unknown;
  if (b.length === 0) return own;
  if (a.length === 0) return { ...other, id: own.id };
  if (own.vector_model !== other.vector_model) return unknown;
  const [sum, more] = [decodeSum(a), decodeSum(b)];
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + (more[i] as number);
  for (const vector of twice) addToSum(sum, vector, -1);
  return { ...own, vector_sum: encodeSum(sum) };
}
