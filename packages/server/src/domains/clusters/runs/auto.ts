import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { indexedTo } from '../../index/index.ts';
import { lockClustering } from '../store/clusters.ts';
import {
  activeRun,
  autoAccounts,
  countUnclustered,
  lastFullRun,
  lostRuns,
  noteLook,
  runScopes,
  updateRun,
} from '../store/runs.ts';
import { type Clusteredness, hasGrown, isWorthRun } from './auto-rules.ts';
import { runFailed } from './ours.ts';
import { dropStaged, queueRun } from './queue.ts';

export const autoKind = 'clusters.auto';

/**
 * Job: ends runs that nobody goes on with, and queues runs for accounts that want them and whose
 * memories have changed since they were looked at. What comes within a minute is assigned together.
 */
export async function runByThemselves(app: App): Promise<void> {
  for (const { account_id: accountId, id } of await lostRuns(app.engine.db)) {
    await endLost(systemCtx(app, accountId), id);
  }
  for (const { account_id: accountId, looked_to } of await autoAccounts(app.engine.db)) {
    const ctx = systemCtx(app, accountId);
    const changedTo = await indexedTo(ctx);
    if (changedTo !== null && changedTo > looked_to) await lookAt(ctx, changedTo);
  }
}

/** A run whose job has ended without it, since its end could not be written. */
const endLost = (ctx: Ctx, id: string): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    await lockClustering(tx, actor.accountId);
    await dropStaged(inTx, id);
    const failed = { status: 'failed', error: runFailed, completed_at: clock.now() };
    await updateRun(tx, actor.accountId, id, failed);
  });

/** Where a run is under way, it is looked at again when that is over. */
async function lookAt(ctx: Ctx, changedTo: number): Promise<void> {
  const { accountId } = ctx.actor;
  await withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    const settings = await lockClustering(tx, accountId);
    const { algorithm, min_cluster_size } = settings;
    if (!settings.auto_enabled) return;
    let isDone = true;
    for (const spaceId of await runScopes(tx, accountId)) {
      if (await activeRun(tx, accountId, spaceId)) {
        isDone = false;
        continue;
      }
      const last = await lastFullRun(tx, accountId, spaceId);
      const now = await measure(inTx, spaceId);
      const scope = { space_id: spaceId, algorithm, min_cluster_size, memory_ids: null };
      if (!last) {
        if (!isWorthRun(now, min_cluster_size)) continue;
        await queueRun(inTx, { kind: 'full', ...scope, memory_count: now.covered });
      } else if (now.noise > 0) {
        await queueRun(inTx, { kind: 'incremental', ...scope, memory_count: now.noise });
      }
    }
    if (isDone) await noteLook(tx, accountId, changedTo);
  });
}

const measure = async ({ tx, actor }: TxCtx, spaceId: string | null): Promise<Clusteredness> => ({
  covered: await countUnclustered(tx, actor.accountId, spaceId, 'manual'),
  noise: await countUnclustered(tx, actor.accountId, spaceId, 'any'),
});

/** After an incremental run has ended: finds clusters anew where too much has stayed in none. */
export async function followUp(inTx: TxCtx, spaceId: string | null): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { auto_enabled, algorithm, min_cluster_size } = await lockClustering(tx, accountId);
  const last = await lastFullRun(tx, accountId, spaceId);
  if (!auto_enabled || !last) return;
  const now = await measure(inTx, spaceId);
  const before = { covered: last.memory_count, noise: last.noise_count };
  if (!hasGrown(before, now, min_cluster_size)) return;
  await queueRun(inTx, {
    kind: 'full',
    space_id: spaceId,
    algorithm,
    min_cluster_size,
    memory_ids: null,
    memory_count: now.covered,
  });
}
