import { Pace } from '../../kernel/pace.ts';
import { recordErasures } from '../../work/erasures.ts';
import { enqueue } from '../../work/queue.ts';
import type { RunningJob } from '../../work/worker.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { Reply } from '../handle.ts';
import { lockedCluster } from './found.ts';
import { requireMatch } from './model.ts';
import { clustersOfSpace, deleteClusters, lockClustering } from './store/clusters.ts';
import { deleteAllClusters, deleteSomeMembers, deleteSomeOfSets } from './store/members.ts';
import { deleteRunsOfSpace } from './store/runs.ts';
import { tellDeleted } from './tell.ts';

export const eraseSetsKind = 'clusters.erase';
/** So many rows go at once; the others in small steps. */
const rowsAtOnce = 200;

/** Removes a cluster; its memories stay. Throws 404 cluster_not_found, 403, 412. */
export async function removeCluster(
  ctx: Ctx,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<Reply<undefined>> {
  return withTransaction(ctx, async (inTx) => {
    const cluster = await lockedCluster(inTx, id);
    requireMatch(cluster, ifMatch);
    await deleteClusters(inTx.tx, inTx.actor.accountId, [id]);
    await recordErasures(inTx, 'cluster', [id]);
    await dropSets(inTx, [cluster.set_id]);
    tellDeleted(inTx, cluster);
    return new Reply(undefined, { status: 204 });
  });
}

/** Who was in them, once no cluster has them any more. */
export async function dropSets(
  { tx, actor, clock, ids }: Pick<TxCtx, 'tx' | 'actor' | 'clock' | 'ids'>,
  setIds: readonly string[],
): Promise<void> {
  if (setIds.length === 0) return;
  const { accountId } = actor;
  const gone = await deleteSomeOfSets(tx, accountId, setIds, rowsAtOnce);
  if (gone < rowsAtOnce) return;
  const payload = { set_ids: setIds };
  const job = { id: ids.uuid(), accountId, kind: eraseSetsKind, payload, runAt: clock.now() };
  await enqueue(tx, { ...job, spaces: null });
}

/** Job: rows of sets that are seen by nobody, in small steps. */
export async function eraseSets(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const setIds = payload.set_ids as string[];
  const pace = new Pace(app.clock);
  const step = (rows: number) => deleteSomeOfSets(app.engine.db, accountId, setIds, rows);
  while ((await pace.step(step)) > 0) await job.progress(0.5);
}

/** With a space go its clusters, which nobody is in any more. */
export async function removeOfSpace(inTx: TxCtx, spaceId: string): Promise<void> {
  const { tx, actor } = inTx;
  await lockClustering(tx, actor.accountId);
  const clusters = await clustersOfSpace(tx, actor.accountId, spaceId);
  await deleteClusters(
    tx,
    actor.accountId,
    clusters.map(({ id }) => id),
  );
  await dropSets(
    inTx,
    clusters.map(({ set_id }) => set_id),
  );
  await deleteRunsOfSpace(tx, actor.accountId, spaceId);
  for (const { id, run_id } of clusters) {
    const gone = { account_id: actor.accountId, id, space_id: spaceId, type: 'manual' };
    if (run_id === null) tellDeleted(inTx, gone);
  }
}

/** All clusters of a deleted account. */
export async function eraseAccountClusters(ctx: Ctx, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  const pace = new Pace(ctx.clock);
  const step = (rows: number) => deleteSomeMembers(ctx.engine.db, accountId, rows);
  while (await pace.step(step)) await job.progress(0.5);
  await deleteAllClusters(ctx.engine.db, accountId);
}
