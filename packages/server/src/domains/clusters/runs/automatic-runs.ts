import { filterActiveJobs } from '../../../jobs/active-jobs.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { lastIndexedPosition } from '../../search-index/index.ts';
import { lockClustering } from '../store/clusters.ts';
import {
  activeRun,
  countUnclustered,
  lastFullRun,
  listActiveRuns,
  listAutoRunAccounts,
  listRunScopes,
  setAutoRunCursor,
  updateRun,
} from '../store/runs.ts';
import { type ClusterCoverage, hasNoiseGrown, isRunWorthwhile } from './automatic-run-rules.ts';
import { deleteStagedClusters, queueRun } from './queue.ts';
import { runFailedMessage } from './run-ownership.ts';

export const queueAutomaticRunsKind = 'clusters.auto';

/**
 * Job: ends orphaned runs, and queues runs for accounts with automatic runs whose memories have
 * changed since the last check. Changes within a minute are assigned together.
 */
export async function queueAutomaticRuns(app: App): Promise<void> {
  const runs = await listActiveRuns(app.engine.db);
  const activeJobs = await filterActiveJobs(
    app.engine.db,
    runs.map(({ id }) => id),
  );
  for (const { account_id: accountId, id } of runs) {
    if (!activeJobs.has(id)) await failOrphanedRun(systemCtx(app, accountId), id);
  }
  for (const { account_id: accountId, cursor } of await listAutoRunAccounts(app.engine.db)) {
    const ctx = systemCtx(app, accountId);
    const changedTo = await lastIndexedPosition(ctx);
    if (changedTo !== null && changedTo > cursor) await queueRunsIfNeeded(ctx, changedTo);
  }
}

/** The job of the run has ended, but its result could not be written. */
const failOrphanedRun = (ctx: Ctx, id: string): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    await lockClustering(tx, actor.accountId);
    await deleteStagedClusters(inTx, id);
    const failed = { status: 'failed', error: runFailedMessage, completed_at: clock.now() };
    await updateRun(tx, actor.accountId, id, failed);
  });

/** If a run is active, the check is repeated after it. */
async function queueRunsIfNeeded(ctx: Ctx, changedTo: number): Promise<void> {
  const { accountId } = ctx.actor;
  await withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    const settings = await lockClustering(tx, accountId);
    const { algorithm, min_cluster_size } = settings;
    if (!settings.auto_enabled) return;
    let isDone = true;
    for (const spaceId of await listRunScopes(tx, accountId)) {
      if (await activeRun(tx, accountId, spaceId)) {
        isDone = false;
        continue;
      }
      const last = await lastFullRun(tx, accountId, spaceId);
      const now = await measureCoverage(inTx, spaceId);
      const scope = { space_id: spaceId, algorithm, min_cluster_size, memory_ids: null };
      if (!last) {
        if (!isRunWorthwhile(now, min_cluster_size)) continue;
        await queueRun(inTx, { kind: 'full', ...scope, memory_count: now.covered });
      } else if (now.noise > 0) {
        await queueRun(inTx, { kind: 'incremental', ...scope, memory_count: now.noise });
      }
    }
    if (isDone) await setAutoRunCursor(tx, accountId, changedTo);
  });
}

const measureCoverage = async (
  { tx, actor }: TxCtx,
  spaceId: string | null,
): Promise<ClusterCoverage> => ({
  covered: await countUnclustered(tx, actor.accountId, spaceId, 'manual'),
  noise: await countUnclustered(tx, actor.accountId, spaceId, 'any'),
});

/** After an incremental run: queues a full run if too many memories are unassigned. */
export async function queueFullRunIfNeeded(inTx: TxCtx, spaceId: string | null): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { auto_enabled, algorithm, min_cluster_size } = await lockClustering(tx, accountId);
  const last = await lastFullRun(tx, accountId, spaceId);
  if (!auto_enabled || !last) return;
  const now = await measureCoverage(inTx, spaceId);
  const before = { covered: last.memory_count, noise: last.noise_count };
  if (!hasNoiseGrown(before, now, min_cluster_size)) return;
  await queueRun(inTx, {
    kind: 'full',
    space_id: spaceId,
    algorithm,
    min_cluster_size,
    memory_ids: null,
    memory_count: now.covered,
  });
}
