import type { TxCtx } from '../../ctx.ts';
import { publishClusterCreated, publishClusterDeleted, publishClusterUpdated } from '../events.ts';
import { type ClusterRecord, nameKey } from '../model.ts';
import { deleteMemberSets } from '../remove.ts';
import {
  deleteClusters,
  findClusters,
  listAutomaticClusters,
  listNameKeys,
} from '../store/clusters.ts';
import { membersOfSets } from '../store/members.ts';
import type { RunRecord } from '../store/runs.ts';
import { publishStagedClusters, replaceWithStagedClusters } from '../store/staging.ts';
import { availableClusterName } from './available-name.ts';
import { matchClusters } from './match.ts';

/**
 * Replaces the former automatic clusters by those that the run has staged. A cluster that continues
 * keeps its id and its manual edits. Publishes events for clusters, but not for each memory, which
 * would be too many.
 */
export async function replaceClusters(
  inTx: TxCtx,
  run: RunRecord,
  members: readonly (readonly string[])[],
  staged: readonly ClusterRecord[],
): Promise<void> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  const former = await listAutomaticClusters(tx, accountId, run.space_id);
  const membersBySet = await membersOfSets(
    tx,
    accountId,
    former.map(({ member_set_id }) => member_set_id),
  );
  const matches = matchClusters(
    new Map(former.map(({ id, member_set_id }) => [id, membersBySet.get(member_set_id) ?? []])),
    members,
  );
  const formerById = new Map(former.map((cluster) => [cluster.id, cluster]));
  const keptIds = new Set(matches.values());
  const usedNames = await listNameKeys(tx, accountId, run.space_id);
  for (const { id, name, is_named } of former) {
    if (!is_named || !keptIds.has(id)) usedNames.delete(nameKey(name));
  }
  const named = staged.map((cluster, i) => {
    const previous = formerById.get(matches.get(i) ?? '');
    const name = previous?.is_named ? previous.name : availableClusterName(cluster.name, usedNames);
    usedNames.set(nameKey(name), cluster.id);
    return { id: cluster.id, name, previous };
  });
  const removed = former.filter(({ id }) => !keptIds.has(id));
  await deleteClusters(
    tx,
    accountId,
    removed.map(({ id }) => id),
  );
  const adoptions = named.flatMap(({ id, name, previous }) =>
    previous ? [{ id: previous.id, stagedId: id, name }] : [],
  );
  await replaceWithStagedClusters(tx, accountId, adoptions, clock.now());
  const created = named.filter(({ previous }) => !previous);
  await publishStagedClusters(tx, accountId, created);
  await deleteMemberSets(
    inTx,
    former.map(({ member_set_id }) => member_set_id),
  );
  for (const cluster of removed) publishClusterDeleted(inTx, cluster);
  const present = await findClusters(tx, accountId, [
    ...created.map(({ id }) => id),
    ...adoptions.map(({ id }) => id),
  ]);
  for (const cluster of present) {
    const previous = formerById.get(cluster.id);
    if (previous) publishClusterUpdated(inTx, previous, cluster);
    else publishClusterCreated(inTx, cluster);
  }
}
