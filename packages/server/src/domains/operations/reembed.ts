import type { Reembedding, ResponseBody, routes } from '@mneme/contract';
import { advisoryLock, type Tx } from '../../database/index.ts';
import { cancelJobs, enqueue, findActiveJobs, findJobByKind } from '../../jobs/job-queue.ts';
import { type RunningJob, requeue } from '../../jobs/job-worker.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Embedder } from '../../providers/embedding/index.ts';
import { accountIdsAfter, countAccounts, readResourceCount } from '../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { reembedSegments } from '../media/index.ts';
import { reembedMemories } from '../memories/index.ts';
import {
  deleteOtherModelVectors,
  deleteUnusedModels,
  findMissingVectors,
  lastIndexedPosition,
  listOutdatedModels,
  modelRegistry,
  switchAccountModel,
} from '../search-index/index.ts';
import { presentJob } from './jobs.ts';

export const reembedKind = 'operations.reembed';

const step = { rows: 100, bytes: 1_048_576 };
const refusedMax = 10_000;
const sweepsMax = 3;

/** Where a change of model is: the payload of its job. */
interface State {
  readonly model: string;
  readonly dimensions: number;
  /** The account at hand; null: before the first one, or between two. */
  account: string | null;
  done: string | null;
  /** Vectors of the model grow; after the change those of others go. */
  phase: 'grow' | 'erase';
  /** Where the pass over the account's documents is; null: at its beginning. */
  after: string | null;
  /** How many without a vector it has met. */
  met: number;
  /** The account's position when the pass began; null: it has not. */
  pass: number | null;
  /** Only what changed past this position is looked at again. */
  since: number;
  /** Documents of the account that get no vector. */
  unmade: string[];
  rows: number;
  expected: number;
  sweeps: number;
  accounts: number;
  embedded: number;
  refused: number;
  erased: number;
}

/** Of an account. */
const initialAccountState = () => ({
  phase: 'grow' as const,
  after: null,
  met: 0,
  pass: null,
  since: -1,
  unmade: [],
  rows: 0,
});

const initialState = ({ model, dimensions }: Embedder): State => ({
  model,
  dimensions,
  account: null,
  done: null,
  ...initialAccountState(),
  expected: 0,
  sweeps: 0,
  accounts: 0,
  embedded: 0,
  refused: 0,
  erased: 0,
});

/**
 * Queues the change of every account to the configured model, or gives the one that runs. One
 * toward another model ends.
 */
export async function startReembedding(
  ctx: Ctx,
): Promise<ResponseBody<typeof routes.admin.startReembedding>> {
  return withTransaction(ctx, async (inTx) => ({
    job_id: await queueReembedding(inTx, inTx.actor.accountId),
  }));
}

async function queueReembedding(
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
  await enqueue(tx, { id, accountId, kind: reembedKind, payload, spaces: null, runAt });
  return id;
}

/** Throws 404 not_found. */
export async function getReembedding(ctx: Ctx, id: string): Promise<Reembedding> {
  const job = await findJobByKind(ctx.engine.db, reembedKind, id);
  if (!job) throw new AppError('not_found');
  const state = job.payload as unknown as State;
  const { model, dimensions, accounts, embedded, refused, erased } = state;
  return { ...presentJob(job), model, dimensions, accounts, embedded, refused, erased };
}

/** Job: account by account, in small steps; its state goes on where it was. */
export async function reembed(app: App, job: RunningJob): Promise<typeof requeue | undefined> {
  const state = job.payload as unknown as State;
  const { embedder } = app;
  if (embedder.model !== state.model) {
    throw new Error(`this process is not configured for ${state.model}`);
  }
  const total = await countAccounts(app.engine.db);
  for (;;) {
    if (state.account === null && !(await nextAccount(app, state))) break;
    await runStep(app, state, embedder);
    await job.saveProgress(shareOf(state, total), { ...state });
    if (job.shouldYield()) return requeue;
  }
  await deleteUnusedModels(app);
  await job.saveProgress(1, { ...state });
  return undefined;
}

function shareOf({ accounts, account, rows, expected }: State, total: number): number {
  // What comes after its last document is a part of the account, too.
  const within = account === null ? 0 : 0.99 * Math.min(1, rows / Math.max(expected, 1));
  return Math.min(1, (accounts + within) / Math.max(total, 1));
}

/** False when all are done, also those that were made meanwhile. */
async function nextAccount(app: App, state: State): Promise<boolean> {
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

async function runStep(app: App, state: State, embedder: Embedder): Promise<void> {
  if (state.account === null) return;
  const ctx = systemCtx(app, state.account);
  if (state.phase === 'grow') return embedMissingVectors(ctx, state, embedder);
  const { count, next } = await deleteOtherModelVectors(ctx, state.model, state.after);
  state.erased += count;
  state.after = next;
  if (next !== null) return;
  state.done = state.account;
  state.account = null;
  state.accounts += 1;
}

/**
 * Passes over the account's documents, each over what changed since the one before, until one meets
 * nothing that lacks a vector; then the account changes, unless something came since.
 */
async function embedMissingVectors(ctx: Ctx, state: State, embedder: Embedder): Promise<void> {
  state.pass ??= (await lastIndexedPosition(ctx)) ?? 0;
  const { after, since } = state;
  const without = new Set(state.unmade);
  const { ids, next } = await findMissingVectors(ctx, embedder, { after, since, without }, step);
  if (ids.length > 0) {
    const memories = await reembedMemories(ctx, embedder, ids);
    // What is no memory may have been said in one.
    const segments = await reembedSegments(ctx, embedder, memories.refused);
    const made = memories.made + segments.made;
    const { refused } = segments;
    state.met += ids.length;
    state.rows += ids.length;
    state.embedded += made;
    state.refused += refused.length;
    state.unmade = [...state.unmade, ...refused];
    if (state.unmade.length > refusedMax) throw new Error(`${state.model} refuses too many texts`);
  }
  state.after = next;
  if (next !== null) return;
  const isWhole = state.met === 0;
  if (isWhole && (await switchAccountModel(ctx, embedder, { since: state.pass, without }))) {
    state.phase = 'erase';
  } else Object.assign(state, { since: state.pass, pass: null, met: 0 });
}

/**
 * After the start: accounts may still be searched by a model that is no longer configured. That
 * goes on, until the operator changes them; where it cannot be made any more, by itself.
 */
export async function reembedFromUnavailableModels(app: App): Promise<void> {
  for (const { model, accounts } of await listOutdatedModels(app)) {
    const configured = app.embedder.model;
    const fields = { model, configured, accounts };
    if (await modelRegistry.of(app).getEmbedder(model)) {
      app.log.warn(fields, 'accounts are searched by a former model until `mneme reembed` is run');
      continue;
    }
    const id = await app.engine.transaction((tx) => queueReembedding({ ...app, tx }, null));
    app.log.warn({ ...fields, job: id }, 'a former model cannot be made: accounts are changed now');
  }
}
