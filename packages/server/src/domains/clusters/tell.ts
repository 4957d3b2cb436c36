import { isDeepStrictEqual } from 'node:util';
import { clusterChanges } from '@mneme/contract';
import { everySpace, type TxCtx } from '../ctx.ts';
import { type ClusterRecord, isOfEverySpace, presentCluster } from './model.ts';

type Teller = Pick<TxCtx, 'journal'>;
type Place = Pick<ClusterRecord, 'account_id' | 'space_id' | 'type'>;

/** What was found among the memories of every space is told only to who may see them all. */
const placeOf = (cluster: Place) => ({
  accountId: cluster.account_id,
  spaceId: cluster.space_id,
  ...(isOfEverySpace(cluster) ? { secondSpaceId: everySpace } : {}),
});

export const tellCreated = ({ journal }: Teller, cluster: ClusterRecord): void =>
  journal.event({
    ...placeOf(cluster),
    type: 'cluster.created',
    data: presentCluster(cluster),
  });

/** Names of the fields that differ, as an update's event tells them. */
function changedFields(before: ClusterRecord, after: ClusterRecord): string[] {
  const [was, is] = [presentCluster(before), presentCluster(after)];
  return clusterChanges.filter((field) => !isDeepStrictEqual(was[field], is[field]));
}

/** Nothing where nothing that is shown has changed. */
export function tellUpdated(
  { journal }: Teller,
  before: ClusterRecord,
  after: ClusterRecord,
): void {
  const changes = changedFields(before, after);
  if (changes.length === 0) return;
  journal.event({
    ...placeOf(after),
    type: 'cluster.updated',
    data: presentCluster(after),
    previousData: presentCluster(before),
    changes,
  });
}

export const tellDeleted = ({ journal }: Teller, cluster: Place & { id: string }): void =>
  journal.event({ ...placeOf(cluster), type: 'cluster.deleted', data: { id: cluster.id } });

export const tellMerged = (
  { journal }: Teller,
  cluster: ClusterRecord,
  sourceIds: readonly string[],
): void =>
  journal.event({
    ...placeOf(cluster),
    type: 'cluster.merged',
    data: { ...presentCluster(cluster), source_ids: [...sourceIds] },
  });

/** Of a memory in another space than the cluster only who may see both is told. */
const bothPlaces = (cluster: Place, memorySpaceId: string | null) => ({
  ...(cluster.space_id === memorySpaceId ? {} : { secondSpaceId: memorySpaceId }),
  ...placeOf(cluster),
});

export const tellAdded = (
  { journal }: Teller,
  cluster: Place & { id: string },
  memory: { id: string; space_id: string | null },
  confidence: number,
): void =>
  journal.event({
    ...bothPlaces(cluster, memory.space_id),
    type: 'cluster.memory_added',
    data: { cluster_id: cluster.id, memory_id: memory.id, confidence },
  });

export const tellRemoved = (
  { journal }: Teller,
  cluster: Place & { id: string },
  memory: { id: string; space_id: string | null },
): void =>
  journal.event({
    ...bothPlaces(cluster, memory.space_id),
    type: 'cluster.memory_removed',
    data: { cluster_id: cluster.id, memory_id: memory.id },
  });
