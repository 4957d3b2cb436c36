import { JobHeartbeat, JobStopped } from '../../../jobs/job-heartbeat.ts';
import { type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { lockClustering } from '../store/clusters.ts';
import { claimRunRow, findRun, type RunRecord, type RunUpdate, updateRun } from '../store/runs.ts';
import { runFullClustering } from './full.ts';
import { runIncrementalClustering } from './incremental.ts';
import { deleteStagedClusters, requireRunSpaceAccess } from './queue.ts';
import { RunEnded, requireRunOwnership, runFailedMessage } from './run-ownership.ts';

/**
 * Job: executes a run from its start. After a crash or a stop it starts again: existing clusters
 * remain until the end, and staged ones are deleted. A failed run is not retried automatically.
 */
export async function executeClusterRun(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  if (job.accountId === null) return undefined;
  const ctx = systemCtx(app, job.accountId, job.spaces);
  const run = await claimRun(ctx, job.id);
  if (!run) return undefined;
  await using heartbeat = new JobHeartbeat(app.clock, job);
  try {
    requireRunSpaceAccess(ctx.actor, run.space_id);
    if (run.kind === 'full') await runFullClustering(ctx, run, heartbeat);
    else await runIncrementalClustering(ctx, run, heartbeat);
    return undefined;
  } catch (error) {
    if (error instanceof RunEnded) return undefined;
    if (error instanceof JobStopped) {
      await endRun(ctx, run, { status: 'queued' });
      return requeueResult;
    }
    // It was cancelled, or the process that has the job now claims the run.
    if (error instanceof LeaseLost) throw error;
    const failed = { status: 'failed', error: runFailedMessage, completed_at: app.clock.now() };
    await endRun(ctx, run, failed);
    throw error;
  }
}

/** Undefined: the run has ended, or the account is deleted. */
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

/** Only if this process still owns it. */
const endRun = (ctx: Ctx, run: RunRecord, changes: RunUpdate): Promise<void> =>
  withTransaction(ctx, async (inTx: TxCtx) => {
    await requireRunOwnership(inTx, run);
    await deleteStagedClusters(inTx, run.id);
    await updateRun(inTx.tx, inTx.actor.accountId, run.id, changes);
  }).catch((error: unknown) => {
    if (!(error instanceof RunEnded)) throw error;
  });
