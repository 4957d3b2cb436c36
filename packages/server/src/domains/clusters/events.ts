import { isDeepStrictEqual } from 'node:util';
import { clusterChangeFields } from '@mneme/contract';
import { allSpaces, type TxCtx } from '../ctx.ts';
import { type ClusterRecord, coversEverySpace, presentCluster } from './model.ts';

type EventContext = Pick<TxCtx, 'journal'>;
type ClusterRef = Pick<ClusterRecord, 'account_id' | 'space_id' | 'type'>;

/**
 * Events of account-wide automatic clusters reveal memories of every space: only keys with access
 * to all spaces receive them.
 */
const eventScope = (cluster: ClusterRef) => ({
  accountId: cluster.account_id,
  spaceId: cluster.space_id,
  ...(coversEverySpace(cluster) ? { secondSpaceId: allSpaces } : {}),
});

export const publishClusterCreated = ({ journal }: EventContext, cluster: ClusterRecord): void =>
  journal.addEvent({
    ...eventScope(cluster),
    type: 'cluster.created',
    data: presentCluster(cluster),
  });

/** Names of the changed fields, for the update event. */
function changedFields(before: ClusterRecord, after: ClusterRecord): string[] {
  const [was, is] = [presentCluster(before), presentCluster(after)];
  return clusterChangeFields.filter((field) => !isDeepStrictEqual(was[field], is[field]));
}

/** Publishes nothing if no visible field changed. */
export function publishClusterUpdated(
  { journal }: EventContext,
  before: ClusterRecord,
  after: ClusterRecord,
): void {
  const changes = changedFields(before, after);
  if (changes.length === 0) return;
  journal.addEvent({
    ...eventScope(after),
    type: 'cluster.updated',
    data: presentCluster(after),
    previousData: presentCluster(before),
    changes,
  });
}

export const publishClusterDeleted = (
  { journal }: EventContext,
  cluster: ClusterRef & { id: string },
): void =>
  journal.addEvent({ ...eventScope(cluster), type: 'cluster.deleted', data: { id: cluster.id } });

export const publishClusterMerged = (
  { journal }: EventContext,
  cluster: ClusterRecord,
  sourceIds: readonly string[],
): void =>
  journal.addEvent({
    ...eventScope(cluster),
    type: 'cluster.merged',
    data: { ...presentCluster(cluster), source_ids: [...sourceIds] },
  });

/**
 * If the memory is in another space than the cluster, only keys with access to both receive the
 * event.
 */
const membershipEventScope = (cluster: ClusterRef, memorySpaceId: string | null) => ({
  ...(cluster.space_id === memorySpaceId ? {} : { secondSpaceId: memorySpaceId }),
  ...eventScope(cluster),
});

export const publishMemoryAdded = (
  { journal }: EventContext,
  cluster: ClusterRef & { id: string },
  memory: { id: string; space_id: string | null },
  confidence: number,
): void =>
  journal.addEvent({
    ...membershipEventScope(cluster, memory.space_id),
    type: 'cluster.memory_added',
    data: { cluster_id: cluster.id, memory_id: memory.id, confidence },
  });

export const publishMemoryRemoved = (
  { journal }: EventContext,
  cluster: ClusterRef & { id: string },
  memory: { id: string; space_id: string | null },
): void =>
  journal.addEvent({
    ...membershipEventScope(cluster, memory.space_id),
    type: 'cluster.memory_removed',
    data: { cluster_id: cluster.id, memory_id: memory.id },
  });
