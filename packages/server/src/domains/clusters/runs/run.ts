import { Pulse, Stopping } from '../../../work/pulse.ts';
import { again, LeaseLost, type RunningJob } from '../../../work/worker.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { lockClustering } from '../store/clusters.ts';
import { findRun, type RunEnd, type RunRecord, takeUpRun, updateRun } from '../store/runs.ts';
import { findClustersAnew } from './full.ts';
import { assignMemories } from './incremental.ts';
import { RunEnded, requireOurs, runFailed } from './ours.ts';
import { dropStaged, requireScope } from './queue.ts';

/**
 * Job: a run from its beginning. After a crash or a stop it begins anew: what there was before
 * stays whole until the end, and what was being put together goes. One that fails is not tried
 * again by itself.
 */
export async function runClusters(app: App, job: RunningJob): Promise<typeof again | undefined> {
  if (job.accountId === null) return undefined;
  const ctx = systemCtx(app, job.accountId, job.spaces);
  const run = await takeUp(ctx, job.id);
  if (!run) return undefined;
  await using pulse = new Pulse(app.clock, job);
  try {
    requireScope(ctx.actor, run.space_id);
    if (run.kind === 'full') await findClustersAnew(ctx, run, pulse);
    else await assignMemories(ctx, run, pulse);
    return undefined;
  } catch (error) {
    if (error instanceof RunEnded) return undefined;
    if (error instanceof Stopping) {
      await end(ctx, run, { status: 'queued' });
      return again;
    }
    // It was cancelled, or whoever has the job now takes the run up.
    if (error instanceof LeaseLost) throw error;
    const failed = { status: 'failed', error: runFailed, completed_at: app.clock.now() };
    await end(ctx, run, failed);
    throw error;
  }
}

/** Undefined: it has ended, or its account has. */
async function takeUp(ctx: Ctx, id: string): Promise<RunRecord | undefined> {
  const { accountId } = ctx.actor;
  if (!(await findRun(ctx.engine.db, accountId, id))) return undefined;
  return withTransaction(ctx, async (inTx) => {
    await lockClustering(inTx.tx, accountId);
    const run = await takeUpRun(inTx.tx, accountId, id, inTx.clock.now());
    if (run) await dropStaged(inTx, id);
    return run;
  });
}

/** Only where it is still ours to end. */
const end = (ctx: Ctx, run: RunRecord, changes: RunEnd): Promise<void> =>
  withTransaction(ctx, async (inTx: TxCtx) => {
    await requireOurs(inTx, run);
    await dropStaged(inTx, run.id);
    await updateRun(inTx.tx, inTx.actor.accountId, run.id, changes);
  }).catch((error: unknown) => {
    if (!(error instanceof RunEnded)) throw error;
  });
