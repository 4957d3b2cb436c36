import type { Reembedding, ResponseBody, routes } from '@mneme/contract';
import { advisoryLock, type Tx } from '../../database/index.ts';
import { cancelJobs, enqueueJob, findActiveJobs, findJobByKind } from '../../jobs/job-queue.ts';
import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { readWaitingReasons } from '../../jobs/waiting-reasons.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Embedder, inferSettingsFromName } from '../../providers/embedding/index.ts';
import { accountIdsAfter, countAccounts, readResourceCount } from '../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { reembedSegments } from '../media/index.ts';
import { reembedMemories } from '../memories/index.ts';
import {
  accountModels,
  deleteOtherModelVectors,
  deleteUnusedModels,
  findMissingVectors,
  lastIndexedPosition,
  listOutdatedModels,
  modelScales,
  switchAccountModel,
} from '../search-index/index.ts';
import { presentJob } from './job-fields.ts';
import { changeModelKind, readModelChoice } from './models/choice.ts';

export const reembedKind = 'operations.reembed';

const stepLimits = { rows: 100, bytes: 1_048_576 };
const rejectedMax = 10_000;
export const sweepsMax = 3;

/** The state of a re-embedding: the payload of its job. */
export interface ReembeddingState {
  readonly model: string;
  readonly dimensions: number;
  /** The current account; null: before the first one, or between two. */
  account: string | null;
  done: string | null;
  /** `grow`: creates vectors of the new model; `erase`: then deletes those of other models. */
  phase: 'grow' | 'erase';
  /** Cursor of the pass over the account's documents; null: at its beginning. */
  after: string | null;
  /** Documents without a vector in this pass. */
  met: number;
  /** The account's position at the start of the pass; null: not started. */
  pass: number | null;
  /** The pass only covers changes after this position. */
  since: number;
  /** Documents of the account that cannot get a vector. */
  unmade: string[];
  rows: number;
  expected: number;
  sweeps: number;
  /** Whether the scale of the model's cosines has been measured by this job. */
  isScaleMeasured?: boolean;
  /** Accounts of which all documents have been passed over. */
  passed: number;
  accounts: number;
  embedded: number;
  refused: number;
  erased: number;
}

/** Per account. */
const initialAccountState = () => ({
  phase: 'grow' as const,
  after: null,
  met: 0,
  pass: null,
  since: -1,
  unmade: [],
  rows: 0,
});

export const initialState = ({ model, dimensions }: Embedder): ReembeddingState => ({
  model,
  dimensions,
  account: null,
  done: null,
  ...initialAccountState(),
  expected: 0,
  sweeps: 0,
  passed: 0,
  accounts: 0,
  embedded: 0,
  refused: 0,
  erased: 0,
});

/**
 * Queues the change of all accounts to the configured model, or returns the job that already
 * runs, also the job of a change that an operator started. Cancels a change to another model.
 */
export async function startReembedding(
  ctx: Ctx,
): Promise<ResponseBody<typeof routes.admin.startReembedding>> {
  return withTransaction(ctx, async (inTx) => {
    const change = (await readModelChoice(inTx.tx))?.change;
    return { job_id: change?.jobId ?? (await queueReembedding(inTx, inTx.actor.accountId)) };
  });
}

/** Queues the change of all accounts to the embedder's model, unless that job is active. */
export async function queueReembedding(
  { tx, ids, clock, embedder }: Pick<Ctx, 'ids' | 'clock' | 'embedder'> & { tx: Tx },
  accountId: string | null,
): Promise<string> {
  await advisoryLock(tx, reembedKind);
  const active = await findActiveJobs(tx, reembedKind);
  const same = active.find(({ payload }) => payload.model === embedder.model);
  if (same) return same.id;
  const runAt = clock.now();
  await cancelJobs(tx, reembedKind, runAt);
  const id = ids.uuid();
  const payload = { ...initialState(embedder) };
  await enqueueJob(tx, { id, accountId, kind: reembedKind, payload, spaces: null, runAt });
  return id;
}

/** Throws 404 not_found. */
export async function getReembedding(ctx: Ctx, id: string): Promise<Reembedding> {
  const { db } = ctx.engine;
  const job =
    (await findJobByKind(db, reembedKind, id)) ?? (await findJobByKind(db, changeModelKind, id));
  if (!job) throw new AppError('not_found');
  const state = job.payload as unknown as ReembeddingState;
  const { model, dimensions, accounts, embedded, refused, erased } = state;
  const reasons = await readWaitingReasons(ctx, [job]);
  return { ...presentJob(job, reasons), model, dimensions, accounts, embedded, refused, erased };
}

/**
 * Job of a process that is configured for its model: changes account by account, in small steps;
 * continues from its saved state.
 */
export async function runReembeddingJob(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const state = job.payload as unknown as ReembeddingState;
  const { embedder } = app;
  const total = await countAccounts(app.engine.db);
  await measureScaleOnce(app, job, state);
  for (;;) {
    if (state.account === null && !(await nextAccount(app, state))) break;
    await runStep(app, state, embedder);
    await job.saveProgress(shareOf(state, total), { ...state });
    if (job.shouldYield()) return requeueResult;
  }
  await deleteUnusedModels(app);
  await job.saveProgress(1, { ...state });
  return undefined;
}

/** Once for each job, so that a continued one does not embed the texts for it again. */
export async function measureScaleOnce(
  app: App,
  job: RunningJob,
  state: ReembeddingState,
): Promise<void> {
  if (state.isScaleMeasured) return;
  await modelScales.of(app).measure(app.embedder);
  state.isScaleMeasured = true;
  await job.saveProgress(0, { ...state });
}

function shareOf({ accounts, account, rows, expected }: ReembeddingState, total: number): number {
  // The steps after the last document are a part of the account as well.
  const within = account === null ? 0 : 0.99 * Math.min(1, rows / Math.max(expected, 1));
  return Math.min(1, (accounts + within) / Math.max(total, 1));
}

/** False after all accounts, including those created during the job. */
export async function nextAccount(app: App, state: ReembeddingState): Promise<boolean> {
  const [id] = await accountIdsAfter(app.engine.db, state.done, 1);
  if (id === undefined) {
    state.sweeps += 1;
    if (state.sweeps >= sweepsMax || (await listOutdatedModels(app)).length === 0) return false;
    state.done = null;
    return nextAccount(app, state);
  }
  const expected = await readResourceCount(app.engine.db, id, 'memories');
  Object.assign(state, { ...initialAccountState(), account: id, expected });
  return true;
}

async function runStep(app: App, state: ReembeddingState, embedder: Embedder): Promise<void> {
  if (state.account === null) return;
  const ctx = systemCtx(app, state.account);
  if (state.phase === 'grow') {
    const isComplete = await growVectors(ctx, state, embedder);
    if (isComplete && (await switchWhenComplete(ctx, state, embedder))) state.phase = 'erase';
    return;
  }
  if (!(await eraseOtherVectors(ctx, state))) return;
  state.done = state.account;
  state.account = null;
  state.accounts += 1;
}

/**
 * One step of a pass over the account's documents, of the changes since the previous pass. Returns
 * true after a pass that found no missing vector.
 */
export async function growVectors(
  ctx: Ctx,
  state: ReembeddingState,
  embedder: Embedder,
): Promise<boolean> {
  state.pass ??= (await lastIndexedPosition(ctx)) ?? 0;
  const { after, since } = state;
  const excluded = new Set(state.unmade);
  const filter = { after, since, without: excluded };
  const { ids, next } = await findMissingVectors(ctx, embedder, filter, stepLimits);
  if (ids.length > 0) {
    const memories = await reembedMemories(ctx, embedder, ids);
    // Ids that are no memories may be segments.
    const segments = await reembedSegments(ctx, embedder, memories.refused);
    const embedded = memories.made + segments.made;
    const { refused } = segments;
    state.met += ids.length;
    state.rows += ids.length;
    state.embedded += embedded;
    state.refused += refused.length;
    state.unmade = [...state.unmade, ...refused];
    if (state.unmade.length > rejectedMax)
      throw new Error(`${state.model} rejected too many texts`);
  }
  state.after = next;
  if (next !== null) return false;
  if (state.met === 0) {
    state.passed += 1;
    return true;
  }
  beginNextPass(state);
  return false;
}

const beginNextPass = (state: ReembeddingState): void =>
  void Object.assign(state, { since: state.pass ?? -1, pass: null, met: 0, after: null });

/** Switches the account after a complete pass, unless documents changed since: then another one. */
export async function switchWhenComplete(
  ctx: Ctx,
  state: ReembeddingState,
  embedder: Embedder,
): Promise<boolean> {
  const condition = { since: state.pass ?? -1, without: new Set(state.unmade) };
  if (await switchAccountModel(ctx, embedder, condition)) return true;
  beginNextPass(state);
  return false;
}

/** One step of deleting vectors of other models. Returns true after the last one. */
export async function eraseOtherVectors(ctx: Ctx, state: ReembeddingState): Promise<boolean> {
  const { count, next } = await deleteOtherModelVectors(ctx, state.model, state.after);
  state.erased += count;
  state.after = next;
  return next === null;
}

/** Both models are part of the server: the change costs nothing but time. */
const isShipped = (model: string): boolean => inferSettingsFromName(model) !== null;

/**
 * Runs after the start: accounts may still use a model that is no longer configured. They keep it
 * until the operator changes them; if the model is unavailable, or one shipped model replaces
 * another, the change starts automatically.
 */
export async function reembedFromFormerModels(app: App): Promise<void> {
  // The job of a change continues by itself.
  if ((await readModelChoice(app.engine.db))?.change) return;
  for (const { model, accounts } of await listOutdatedModels(app)) {
    const configured = app.embedder.model;
    const fields = { model, configured, accounts };
    if (isShipped(model) && isShipped(configured)) {
      const job = await app.engine.transaction((tx) => queueReembedding({ ...app, tx }, null));
      app.log.info({ ...fields, job }, 'change to the shipped embedding model queued');
      continue;
    }
    if (await accountModels.of(app).getEmbedder(model)) {
      app.log.warn(fields, 'accounts use a former embedding model: run `mneme reembed`');
      continue;
    }
    const id = await app.engine.transaction((tx) => queueReembedding({ ...app, tx }, null));
    app.log.warn(
      { ...fields, job: id },
      'former embedding model unavailable: change to the configured model queued',
    );
  }
}
