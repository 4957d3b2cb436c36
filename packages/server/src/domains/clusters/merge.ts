import type { Checked, Cluster, FieldFault, routes } from '@mneme/contract';
import { validationError } from '../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { readVectors } from '../index/index.ts';
import { clusterMissing, lockedCluster } from './found.ts';
import { type ClusterRecord, presentCluster, requireReach } from './model.ts';
import { dropSets } from './remove.ts';
import { deleteClusters, findClusters, saveCluster } from './store/clusters.ts';
import { inBoth, lacksVectors, moveMembers } from './store/members.ts';
import { findSums, type SumRow, saveSums } from './store/sums.ts';
import { recomputeLater } from './sum-up.ts';
import { addTo, bytesOf, sumFrom } from './sums.ts';
import { tellDeleted, tellMerged } from './tell.ts';

/**
 * Takes in the other clusters, which are removed. Throws 404 cluster_not_found, 403
 * space_access_denied, 422 for itself and for clusters of another scope.
 */
export async function mergeClusters(
  ctx: Ctx,
  id: string,
  { source_ids: named }: Checked<typeof routes.clusters.merge>['body'],
): Promise<Cluster> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const target = await lockedCluster(inTx, id);
    const sources = await usableSources(inTx, target, named);
    for (const source of sources) await takeIn(inTx, target, source);
    await deleteClusters(
      tx,
      actor.accountId,
      sources.map((source) => source.id),
    );
    await dropSets(
      inTx,
      sources.map(({ set_id }) => set_id),
    );
    // Of the former members: a run, or whoever asks, computes them anew.
    const scores = { silhouette_score: null, dbcv_score: null, cohesion_score: null };
    const now = clock.now();
    await saveCluster(tx, { ...target, ...scores, computed_at: null, updated_at: now });
    const [merged] = await findClusters(tx, actor.accountId, [id]);
    const after = merged ?? target;
    for (const source of sources) tellDeleted(inTx, source);
    tellMerged(
      inTx,
      after,
      sources.map((source) => source.id),
    );
    return presentCluster(after);
  });
}

async function usableSources(
  { tx, actor }: TxCtx,
  target: ClusterRecord,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  const found = await findClusters(tx, actor.accountId, ids);
  const byId = new Map(found.map((cluster) => [cluster.id, cluster]));
  const faults = ids.flatMap((id, i): [string, FieldFault][] => {
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
    if (!source) throw clusterMissing(id);
    requireReach(actor, source);
    return source;
  });
  if (faults.length > 0) throw validationError(Object.fromEntries(faults));
  return sources;
}

/** Who is in both is counted once, and its vector is in the sum once. */
async function takeIn(inTx: TxCtx, target: ClusterRecord, source: ClusterRecord): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const shared = await inBoth(tx, accountId, target.set_id, source.set_id);
  const twice = shared.filter(({ both }) => both).map(({ memory_id }) => memory_id);
  const { vectors } = await readVectors(tx, accountId, twice);
  const sums = await findSums(tx, accountId, [target.id, source.id]);
  const own = sums.find(({ id }) => id === target.id);
  const other = sums.find(({ id }) => id === source.id);
  if (!own || !other) return;
  const sum = joined(own, other, [...vectors.values()]);
  const again = shared.filter(({ active }) => active).length;
  await saveSums(tx, accountId, [{ ...sum, count: (await countOf(inTx, source)) - again }]);
  await moveMembers(tx, accountId, source.set_id, target.set_id);
  // A job may be computing the source's sum: it ends with the source, before it has added all.
  const isWhole = sum.vector_sum !== null && !(await lacksVectors(tx, accountId, target.set_id));
  if (!isWhole) await recomputeLater(inTx, accountId, target.id);
}

/** As it is by now, with what it may have taken in. */
async function countOf({ tx, actor }: TxCtx, { id }: ClusterRecord): Promise<number> {
  const [cluster] = await findClusters(tx, actor.accountId, [id]);
  return cluster?.memory_count ?? 0;
}

function joined(own: SumRow, other: SumRow, twice: readonly Int8Array[]): SumRow {
  const [a, b] = [own.vector_sum, other.vector_sum];
  const unknown = { id: own.id, vector_sum: null, vector_model: null };
  if (a === null || b === null) return unknown;
  if (b.length === 0) return own;
  if (a.length === 0) return { ...other, id: own.id };
  if (own.vector_model !== other.vector_model) return unknown;
  const [sum, more] = [sumFrom(a), sumFrom(b)];
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + (more[i] as number);
  for (const vector of twice) addTo(sum, vector, -1);
  return { ...own, vector_sum: bytesOf(sum) };
}
