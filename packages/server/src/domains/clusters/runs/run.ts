import { JobHeartbeat, JobStopped } from '../../../jobs/job-heartbeat.ts';
import { LeaseLost, type RunningJob, requeue } from '../../../jobs/job-worker.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { lockClustering } from '../store/clusters.ts';
import { claimRunRow, findRun, type RunRecord, type RunUpdate, updateRun } from '../store/runs.ts';
import { runFullClustering } from './full.ts';
import { assignMemories } from './incremental.ts';
import { deleteStagedClusters, requireRunScope } from './queue.ts';
import { RunEnded, requireRunOwnership, runFailedMessage } from './run-ownership.ts';

/**
 * Job: a run from its beginning. After a crash or a stop it begins anew: what there was before
 * stays whole until the end, and what was being put together goes. One that fails is not tried
 * again by itself.
 */
export async function runClusters(app: App, job: RunningJob): Promise<typeof requeue | undefined> {
  if (job.accountId === null) return undefined;
  const ctx = systemCtx(app, job.accountId, job.spaces);
  const run = await claimRun(ctx, job.id);
  if (!run) return undefined;
  await using pulse = new JobHeartbeat(app.clock, job);
  try {
    requireRunScope(ctx.actor, run.space_id);
    if (run.kind === 'full') await runFullClustering(ctx, run, pulse);
    else await assignMemories(ctx, run, pulse);
    return undefined;
  } catch (error) {
    if (error instanceof RunEnded) return undefined;
    if (error instanceof JobStopped) {
      await endRun(ctx, run, { status: 'queued' });
      return requeue;
    }
    // It was cancelled, or whoever has the job now takes the run up.
    if (error instanceof LeaseLost) throw error;
    const failed = { status: 'failed', error: runFailedMessage, completed_at: app.clock.now() };
    await endRun(ctx, run, failed);
    throw error;
  }
}

/** Undefined: it has ended, or its account has. */
async function claimRun(ctx: Ctx, id: string): Promise<RunRecord | undefined> {
  const { accountId } = ctx.actor;
  if (!(await findRun(ctx.engine.db, accountId, id))) return undefined;
  return withTransaction(ctx, async (inTx) => {
    await lockClustering(inTx.tx, accountId);
    const run = await claimRunRow(inTx.tx, accountId, id, inTx.clock.now());
    if (run) await deleteStagedClusters(inTx, id);
    return run;
  });
}

/** Only where it is still ours to end. */
const endRun = (ctx: Ctx, run: RunRecord, changes: RunUpdate): Promise<void> =>
  withTransaction(ctx, async (inTx: TxCtx) => {
    await requireRunOwnership(inTx, run);
    await deleteStagedClusters(inTx, run.id);
    await updateRun(inTx.tx, inTx.actor.accountId, run.id, changes);
  }).catch((error: unknown) => {
    if (!(error instanceof RunEnded)) throw error;
  });
