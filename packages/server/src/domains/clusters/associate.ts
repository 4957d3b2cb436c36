import type { FieldError, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { limits } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { type LinkTarget, lockLinkTargets } from '../memories/index.ts';
import { readVectors } from '../search-index/index.ts';
import { applyClusterDeltas, ClusterDeltas } from './centroid-update.ts';
import { publishMemoryAdded, publishMemoryRemoved } from './events.ts';
import { clusterNotFoundError, lockCluster, requireCluster } from './lookup.ts';
import { type ClusterRecord, requireClusterAccess } from './model.ts';
import { findClusters, lockClustering } from './store/clusters.ts';
import { type Membership, membershipsOf, removeMembers, upsertMembers } from './store/members.ts';

type AssociateResponse = ResponseBody<typeof routes.clusters.associate>;

/** Locks the memory and checks access. Throws 404 memory_not_found, 403 space_access_denied. */
async function lockMemory({ tx, actor }: TxCtx, id: string): Promise<LinkTarget> {
  const [memory] = await lockLinkTargets(tx, actor.accountId, [id]);
  if (!memory) throw new AppError('memory_not_found');
  requireSpaceAccess(actor, memory.space_id);
  return memory;
}

/**
 * Adds a memory to all of the clusters or to none. Throws 404 memory_not_found, 404
 * cluster_not_found, 403 space_access_denied, 409 conflict (the memory is deleted), 422 for a
 * cluster of another space, 403 quota_exceeded.
 */
export async function associateMemory(
  ctx: Ctx,
  memoryId: string,
  body: ValidatedRequest<typeof routes.clusters.associate>['body'],
): Promise<AssociateResponse> {
  const { accountId } = ctx.actor;
  return withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    const memory = await lockMemory(inTx, memoryId);
    if (memory.deleted_at !== null) {
      throw new AppError('conflict', { message: 'The memory is deleted. Restore it first.' });
    }
    await lockClustering(tx, accountId);
    const clusters = await requireUsableClusters(inTx, memory, body.cluster_ids);
    const existing = await membershipsOf(tx, accountId, [memoryId]);
    const previous = new Map(existing.map((one) => [one.cluster_id, one]));
    const added = clusters.filter(({ id }) => !previous.has(id));
    requireClusterQuota(existing, added.length);
    const now = inTx.clock.now();
    await addMemberships(inTx, memory, {
      clusters,
      added,
      confidence: body.confidence,
      now,
    });
    return {
      memory_id: memoryId,
      clusters: clusters.map(({ id }) => ({
        cluster_id: id,
        confidence: body.confidence,
        added_at: (previous.get(id)?.added_at ?? now).toISOString(),
      })),
    };
  });
}

/** In the order of the request, without duplicates. */
async function requireUsableClusters(
  { tx, actor }: TxCtx,
  memory: LinkTarget,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  const existing = await findClusters(tx, actor.accountId, ids);
  const byId = new Map(existing.map((cluster) => [cluster.id, cluster]));
  const clusters = [...new Set(ids)].map((id) => {
    const cluster = byId.get(id);
    if (!cluster) throw clusterNotFoundError(id);
    requireClusterAccess(actor, cluster);
    return cluster;
  });
  const message = 'must be account-wide or in the space of the memory';
  const errors = ids.flatMap((id, i): [string, FieldError][] => {
    const spaceId = byId.get(id)?.space_id ?? null;
    if (spaceId === null || spaceId === memory.space_id) return [];
    return [[`cluster_ids.${i}`, { code: 'invalid_format', message, received: id }]];
  });
  if (errors.length > 0) throw validationError(Object.fromEntries(errors));
  return clusters;
}

function requireClusterQuota(existing: readonly Membership[], count: number): void {
  const limit = limits.clustersPerMemoryMax;
  const used = existing.filter(({ run_id }) => run_id === null).length;
  if (count === 0 || used + count <= limit) return;
  throw new AppError('quota_exceeded', {
    message: `A memory can be in at most ${limit} clusters.`,
    details: { quota: 'clusters_per_memory', limit, used },
  });
}

interface NewMemberships {
  readonly clusters: readonly ClusterRecord[];
  /** Clusters that do not contain the memory yet. */
  readonly added: readonly ClusterRecord[];
  readonly confidence: number;
  readonly now: Date;
}

async function addMemberships(
  inTx: TxCtx,
  memory: LinkTarget,
  { clusters, added, confidence, now }: NewMemberships,
): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { id: memoryId } = memory;
  const stored = await readVectors(tx, accountId, [memoryId]);
  const isSummed = stored.vectors.has(memoryId);
  const members = clusters.map(({ member_set_id: setId }) => ({
    setId,
    memoryId,
    confidence,
    isSummed,
  }));
  await upsertMembers(tx, accountId, members, now);
  const deltas = new ClusterDeltas();
  for (const cluster of added) {
    const delta = deltas.of(cluster.id);
    delta.count += 1;
    if (isSummed) delta.vectors.push({ memoryId, sign: 1 });
    publishMemoryAdded(inTx, cluster, memory, confidence);
  }
  await applyClusterDeltas(inTx, accountId, deltas, stored);
}

/** Throws 404 cluster_not_found (also if it is not in the cluster), 404 memory_not_found, 403. */
export async function dissociateMemory(
  ctx: Ctx,
  memoryId: string,
  clusterId: string,
): Promise<void> {
  const { accountId } = ctx.actor;
  await withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    await requireCluster(inTx, clusterId);
    // Lock order: memories before clusters.
    const memory = await lockMemory(inTx, memoryId);
    const cluster = await lockCluster(inTx, clusterId);
    const existing = await membershipsOf(tx, accountId, [memoryId]);
    const one = existing.find(({ cluster_id }) => cluster_id === clusterId);
    if (!one) {
      throw new AppError('cluster_not_found', {
        message: 'The memory is not in this cluster.',
        details: { cluster_id: clusterId },
      });
    }
    await removeMembers(tx, accountId, [one]);
    const deltas = new ClusterDeltas();
    const delta = deltas.of(clusterId);
    if (memory.deleted_at === null) delta.count -= 1;
    if (one.is_in_vector_sum) delta.vectors.push({ memoryId, sign: -1 });
    await applyClusterDeltas(inTx, accountId, deltas, await readVectors(tx, accountId, [memoryId]));
    publishMemoryRemoved(inTx, cluster, memory);
  });
}
