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
import { activateStaged, replaceWithStaged } from '../store/staging.ts';
import { matchClusters } from './match.ts';
import { availableName } from './names.ts';

/**
 * Puts what the run has put together in the place of what runs found before. A cluster that mostly
 * stays keeps its id, and what somebody said of it. Told is what becomes of clusters; of each
 * memory there would be too much to tell.
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
  const bySet = await membersOfSets(
    tx,
    accountId,
    former.map(({ set_id }) => set_id),
  );
  const matches = matchClusters(
    new Map(former.map(({ id, set_id }) => [id, bySet.get(set_id) ?? []])),
    members,
  );
  const before = new Map(former.map((cluster) => [cluster.id, cluster]));
  const stays = new Set(matches.values());
  const taken = await listNameKeys(tx, accountId, run.space_id);
  for (const { id, name, is_named } of former) {
    if (!is_named || !stays.has(id)) taken.delete(nameKey(name));
  }
  const named = staged.map((cluster, i) => {
    const was = before.get(matches.get(i) ?? '');
    const name = was?.is_named ? was.name : availableName(cluster.name, taken);
    taken.set(nameKey(name), cluster.id);
    return { id: cluster.id, name, was };
  });
  const gone = former.filter(({ id }) => !stays.has(id));
  await deleteClusters(
    tx,
    accountId,
    gone.map(({ id }) => id),
  );
  const adoptions = named.flatMap(({ id, name, was }) =>
    was ? [{ id: was.id, stagedId: id, name }] : [],
  );
  await replaceWithStaged(tx, accountId, adoptions, clock.now());
  const fresh = named.filter(({ was }) => !was);
  await activateStaged(tx, accountId, fresh);
  await deleteMemberSets(
    inTx,
    former.map(({ set_id }) => set_id),
  );
  for (const cluster of gone) publishClusterDeleted(inTx, cluster);
  const present = await findClusters(tx, accountId, [
    ...fresh.map(({ id }) => id),
    ...adoptions.map(({ id }) => id),
  ]);
  for (const cluster of present) {
    const was = before.get(cluster.id);
    if (was) publishClusterUpdated(inTx, was, cluster);
    else publishClusterCreated(inTx, cluster);
  }
}
