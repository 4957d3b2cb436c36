import type { Job } from '@mneme/contract';
import { advisoryLock, type Tx } from '../../../database/index.ts';
import { endJob, type JobRow } from '../../../jobs/job-queue.ts';
import { NonRetryableJobError, type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { type Embedder, EmbeddingFailed } from '../../../providers/embedding/index.ts';
import { countAccounts } from '../../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../../ctx.ts';
import { deleteUnusedModels } from '../../search-index/index.ts';
import {
  eraseOtherVectors,
  growVectors,
  measureScaleOnce,
  nextAccount,
  queueReembedding,
  type ReembeddingState,
  switchWhenComplete,
} from '../reembed.ts';
import { choiceLock, readModelChoice, saveModelChoice } from './choice.ts';
import { followModelChoice } from './follow.ts';

/**
 * First all accounts get all vectors, while the former ones are used; then all accounts change;
 * then the former vectors are erased. Until the last stage, the change can be undone.
 */
interface ChangeState extends ReembeddingState {
  stage: 'grow' | 'switch' | 'erase';
  /** The name that the operator used. */
  readonly name: string;
}

/** A few texts may be rejected, such as ones that are too long. More: the model does not work. */
const rejectedShareMax = 0.1;
const rejectedFreely = 5;

/** Job of a process that uses the new model. Undoes the change when the last attempt fails. */
export async function runModelChangeJob(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const state = job.payload as unknown as ChangeState;
  try {
    return await runStages(app, job, state);
  } catch (error) {
    if (error instanceof LeaseLost) {
      // Cancelled, perhaps by another process.
      await followModelChoice(app);
      throw error;
    }
    const isFinal = job.isLastAttempt || error instanceof NonRetryableJobError;
    // The former vectors are incomplete by then.
    if (!isFinal || state.stage === 'erase') throw error;
    const message = `The change to ${state.name} failed and was undone: ${reasonOf(error)}.`;
    await undoModelChange(app, job.id, { status: 'failed', error: message });
    throw new NonRetryableJobError(message, { cause: error });
  }
}

/** Errors of a model say what is wrong; others are in the log. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EmbeddingFailed) return cause.message;
  }
  return error instanceof NonRetryableJobError ? error.message : 'the log has the reason';
}

async function runStages(
  app: App,
  job: RunningJob,
  state: ChangeState,
): Promise<typeof requeueResult | undefined> {
  const total = await countAccounts(app.engine.db);
  const { embedder } = app;
  if (embedder.model !== state.model) throw new LeaseLost();
  await measureScaleOnce(app, job, state);
  for (;;) {
    if (state.account === null && !(await nextAccount(app, state))) {
      if (state.stage === 'erase') break;
      await enterNextStage(app, job.id, state);
      await job.saveProgress(shareOf(state, total), { ...state });
      continue;
    }
    await runStep(app, state, embedder);
    await job.saveProgress(shareOf(state, total), { ...state });
    if (job.shouldYield()) return requeueResult;
  }
  app.embedding.open.releaseOthersLater();
  await deleteUnusedModels(app);
  await job.saveProgress(1, { ...state });
  return undefined;
}

async function runStep(app: App, state: ChangeState, embedder: Embedder): Promise<void> {
  if (state.account === null) return;
  const ctx = systemCtx(app, state.account);
  const isDone =
    state.stage === 'grow'
      ? await growVectors(ctx, state, embedder)
      : state.stage === 'switch'
        ? (await growVectors(ctx, state, embedder)) &&
          (await switchWhenComplete(ctx, state, embedder))
        : await eraseOtherVectors(ctx, state);
  if (!isDone) return;
  state.done = state.account;
  state.account = null;
  if (state.stage === 'erase') state.accounts += 1;
}

const stageWeights = { grow: [0, 0.9], switch: [0.9, 0.05], erase: [0.95, 0.05] } as const;

function shareOf(state: ChangeState, total: number): number {
  const [from, weight] = stageWeights[state.stage];
  const done = state.stage === 'erase' ? state.accounts : state.passed;
  const within = state.account === null ? 0 : Math.min(1, state.rows / Math.max(state.expected, 1));
  return from + weight * Math.min(1, (done + 0.99 * within) / Math.max(total, 1));
}

async function enterNextStage(app: App, jobId: string, state: ChangeState): Promise<void> {
  Object.assign(state, { done: null, sweeps: 0, passed: 0 });
  if (state.stage === 'grow') {
    requireUsefulModel(state);
    // The next stage tries rejected texts again.
    Object.assign(state, { stage: 'switch', refused: 0 });
    return;
  }
  await app.engine.transaction(async (tx) => {
    await advisoryLock(tx, choiceLock);
    const choice = await readModelChoice(tx);
    const change = choice?.change ?? null;
    // After a kill at this point, the change is stored already. If it was undone instead, the job
    // has ended, which it notices when it saves its progress.
    if (choice === null || change === null) return;
    if (change.jobId !== jobId) throw new LeaseLost();
    await saveModelChoice(tx, { ...choice, current: change.target, change: null });
  });
  app.log.info({ model: state.name }, 'embedding model changed');
  state.stage = 'erase';
}

function requireUsefulModel({ embedded, refused, model }: ReembeddingState): void {
  const rejectedMax = rejectedFreely + rejectedShareMax * (embedded + refused);
  const isUseless = embedded === 0 && refused > 0;
  if (refused <= rejectedMax && !isUseless) return;
  throw new NonRetryableJobError(
    `${model} returned no usable vectors for ${refused} of ${embedded + refused} texts`,
  );
}

interface Ending {
  readonly status: 'failed' | 'cancelled';
  readonly error: string | null;
}

/** Removes a change from the choice, and ends its job. False if the change is complete already. */
async function recordUndone(
  tx: Tx,
  { clock }: Pick<App, 'clock'>,
  jobId: string,
  ending: Ending,
): Promise<boolean> {
  await advisoryLock(tx, choiceLock);
  const choice = await readModelChoice(tx);
  if (choice?.change?.jobId !== jobId) return false;
  await saveModelChoice(tx, { ...choice, change: null });
  await endJob(tx, jobId, { ...ending, now: clock.now() });
  return true;
}

/**
 * Returns this process to the former model, as others do by themselves, and queues a job that
 * erases the vectors of the new one and changes accounts back that had changed.
 */
async function returnToFormerModel(app: App): Promise<void> {
  await followModelChoice(app);
  app.embedding.open.releaseOthersLater();
  const embedder = app.embedding.open.current;
  await app.engine.transaction((tx) => queueReembedding({ ...app, embedder, tx }, null));
}

async function undoModelChange(app: App, jobId: string, ending: Ending): Promise<void> {
  const isUndone = await app.engine.transaction((tx) => recordUndone(tx, app, jobId, ending));
  if (isUndone) await returnToFormerModel(app);
}

/** Cancels and undoes a change. Throws 409 conflict if it is complete or has ended. */
export async function cancelModelChange(
  ctx: Ctx,
  job: JobRow,
  present: (job: JobRow) => Job,
): Promise<Job> {
  const response = await withTransaction(ctx, async ({ tx, clock }) => {
    const ending = { status: 'cancelled', error: null } as const;
    if (await recordUndone(tx, ctx, job.id, ending)) {
      return present({ ...job, ...ending, finished_at: clock.now() });
    }
    throw new AppError('conflict', { message: 'The change is complete or has ended.' });
  });
  await returnToFormerModel(ctx);
  return response;
}
