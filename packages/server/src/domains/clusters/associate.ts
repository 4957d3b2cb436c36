import type { Answer, Checked, FieldFault, routes } from '@mneme/contract';
import { limits } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, type TxCtx, withTransaction } from '../ctx.ts';
import { readVectors } from '../index/index.ts';
import { lockEnds, type MemoryEnd } from '../memories/index.ts';
import { clusterMissing, knownCluster, lockedCluster } from './found.ts';
import { type ClusterRecord, requireReach } from './model.ts';
import { findClusters, lockClustering } from './store/clusters.ts';
import { type Membership, membershipsOf, putMembers, removeMembers } from './store/members.ts';
import { applyDeltas, Deltas } from './sum-up.ts';
import { tellAdded, tellRemoved } from './tell.ts';

type Associated = Answer<typeof routes.clusters.associate>;

/** The memory, locked and allowed. Throws 404 memory_not_found, 403 space_access_denied. */
async function lockMemory({ tx, actor }: TxCtx, id: string): Promise<MemoryEnd> {
  const [memory] = await lockEnds(tx, actor.accountId, [id]);
  if (!memory) throw new AppError('memory_not_found');
  requireSpace(actor, memory.space_id);
  return memory;
}

/**
 * Puts a memory in all the clusters or in none. Throws 404 memory_not_found, 404 cluster_not_found,
 * 403 space_access_denied, 409 conflict (the memory is deleted), 422 for a cluster of another
 * space, 403 quota_exceeded.
 */
export async function associate(
  ctx: Ctx,
  memoryId: string,
  body: Checked<typeof routes.clusters.associate>['body'],
): Promise<Associated> {
  const { accountId } = ctx.actor;
  return withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    const memory = await lockMemory(inTx, memoryId);
    if (memory.deleted_at !== null) {
      throw new AppError('conflict', { message: 'The memory is deleted; restore it first.' });
    }
    await lockClustering(tx, accountId);
    const clusters = await usableClusters(inTx, memory, body.cluster_ids);
    const known = await membershipsOf(tx, accountId, [memoryId]);
    const before = new Map(known.map((one) => [one.cluster_id, one]));
    const fresh = clusters.filter(({ id }) => !before.has(id));
    requireRoom(known, fresh.length);
    const now = inTx.clock.now();
    await join(inTx, memory, { clusters, fresh, confidence: body.confidence, now });
    return {
      memory_id: memoryId,
      clusters: clusters.map(({ id }) => ({
        cluster_id: id,
        confidence: body.confidence,
        added_at: (before.get(id)?.added_at ?? now).toISOString(),
      })),
    };
  });
}

/** In the order in which they are named, each once. */
async function usableClusters(
  { tx, actor }: TxCtx,
  memory: MemoryEnd,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  const found = await findClusters(tx, actor.accountId, ids);
  const byId = new Map(found.map((cluster) => [cluster.id, cluster]));
  const clusters = [...new Set(ids)].map((id) => {
    const cluster = byId.get(id);
    if (!cluster) throw clusterMissing(id);
    requireReach(actor, cluster);
    return cluster;
  });
  const message = 'must be account-wide or a cluster of the space of the memory';
  const faults = ids.flatMap((id, i): [string, FieldFault][] => {
    const spaceId = byId.get(id)?.space_id ?? null;
    if (spaceId === null || spaceId === memory.space_id) return [];
    return [[`cluster_ids.${i}`, { code: 'invalid_format', message, received: id }]];
  });
  if (faults.length > 0) throw validationError(Object.fromEntries(faults));
  return clusters;
}

function requireRoom(known: readonly Membership[], count: number): void {
  const limit = limits.clustersPerMemoryMax;
  const used = known.filter(({ run_id }) => run_id === null).length;
  if (count === 0 || used + count <= limit) return;
  throw new AppError('quota_exceeded', {
    message: `A memory can be put in ${limit} clusters.`,
    details: { quota: 'clusters_per_memory', limit, used },
  });
}

interface Joining {
  readonly clusters: readonly ClusterRecord[];
  /** Those that the memory is not in yet. */
  readonly fresh: readonly ClusterRecord[];
  readonly confidence: number;
  readonly now: Date;
}

async function join(
  inTx: TxCtx,
  memory: MemoryEnd,
  { clusters, fresh, confidence, now }: Joining,
): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { id: memoryId } = memory;
  const stored = await readVectors(tx, accountId, [memoryId]);
  const isSummed = stored.vectors.has(memoryId);
  const members = clusters.map(({ set_id: setId }) => ({ setId, memoryId, confidence, isSummed }));
  await putMembers(tx, accountId, members, now);
  const deltas = new Deltas();
  for (const cluster of fresh) {
    const delta = deltas.of(cluster.id);
    delta.count += 1;
    if (isSummed) delta.vectors.push({ memoryId, sign: 1 });
    tellAdded(inTx, cluster, memory, confidence);
  }
  await applyDeltas(inTx, accountId, deltas, stored);
}

/** Throws 404 cluster_not_found (also where it is not in it), 404 memory_not_found, 403. */
export async function dissociate(ctx: Ctx, memoryId: string, clusterId: string): Promise<void> {
  const { accountId } = ctx.actor;
  await withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    await knownCluster(inTx, clusterId);
    // Memories before clusters, as everybody who locks both.
    const memory = await lockMemory(inTx, memoryId);
    const cluster = await lockedCluster(inTx, clusterId);
    const known = await membershipsOf(tx, accountId, [memoryId]);
    const one = known.find(({ cluster_id }) => cluster_id === clusterId);
    if (!one) {
      throw new AppError('cluster_not_found', {
        message: 'The memory is not in this cluster.',
        details: { cluster_id: clusterId },
      });
    }
    await removeMembers(tx, accountId, [one]);
    const deltas = new Deltas();
    const delta = deltas.of(clusterId);
    if (memory.deleted_at === null) delta.count -= 1;
    if (one.is_summed) delta.vectors.push({ memoryId, sign: -1 });
    await applyDeltas(inTx, accountId, deltas, await readVectors(tx, accountId, [memoryId]));
    tellRemoved(inTx, cluster, memory);
  });
}
