import type {
  ResponseBody,
  routes,
  ValidatedRequest,
  Verification,
  VerificationInconsistency,
} from '@mneme/contract';
import {
  findDamagedPages,
  isDamagedDataError,
  pagesPerBatch,
  readNextRelation,
  runInSnapshot,
} from '../../database/index.ts';
import { JobHeartbeat, JobStopped } from '../../jobs/job-heartbeat.ts';
import { enqueueJob, findJobByKind } from '../../jobs/job-queue.ts';
import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { readWaitingReasons } from '../../jobs/waiting-reasons.ts';
import { AppError } from '../../kernel/errors.ts';
import { accountExists, accountIdsAfter, countAccounts } from '../accounts/index.ts';
import { countOrphanBlobs } from '../blobs/index.ts';
import type {
  ConsistencyCheck,
  ConsistencyCheckStep,
  Inconsistency,
} from '../consistency-check.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { presentJob } from './job-fields.ts';

export const verifyKind = 'operations.verify';

const storedFaultsMax = 1_000;

/** Progress and findings of a verification: the payload of its job. */
interface State {
  readonly account_id: string | null;
  readonly repair: boolean;
  readonly deep: boolean;
  /** The current account; null: before the first one, or between two. */
  account: string | null;
  /** The last completed account. */
  done: string | null;
  /** The name of the check, null after the last one, and the cursor of its next step. */
  check: string | null;
  after: string | null;
  /** Rows of the account read so far, and their estimated total. */
  rows: number;
  expected: number;
  accounts: number;
  checked: Record<string, number>;
  outdated: number;
  repaired: number;
  stray_blobs: number | null;
  faults_total: number;
  faults_left: number;
  faults: VerificationInconsistency[];
  /** Cursor of the page check; null: completed, or not requested. */
  pages: { oid: number; from: number } | null;
  damaged_pages: Verification['damaged_pages'];
}

const initialState = (accountId: string | null, repair: boolean, deep: boolean): State => ({
  account_id: accountId,
  repair,
  deep,
  account: null,
  done: null,
  check: null,
  after: null,
  rows: 0,
  expected: 0,
  accounts: 0,
  checked: {},
  outdated: 0,
  repaired: 0,
  stray_blobs: null,
  faults_total: 0,
  faults_left: 0,
  faults: [],
  // First, so that damaged pages are known before the checks read them.
  pages: accountId === null ? { oid: 0, from: 0 } : null,
  damaged_pages: [],
});

/** Queues a verification of one account or of all. Throws 404 not_found for an unknown account. */
export async function startVerification(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.admin.startVerification>['body'],
): Promise<ResponseBody<typeof routes.admin.startVerification>> {
  return withTransaction(ctx, async ({ tx, ids, clock, actor }) => {
    const { account_id: accountId = null, repair, deep } = body;
    if (accountId !== null && !(await accountExists(tx, accountId))) {
      throw new AppError('not_found', { message: 'The account does not exist.' });
    }
    const id = ids.uuid();
    const payload = { ...initialState(accountId, repair, deep) };
    const job = { id, accountId: actor.accountId, kind: verifyKind, payload };
    await enqueueJob(tx, { ...job, spaces: null, runAt: clock.now() });
    return { job_id: id };
  });
}

/** Throws 404 not_found. */
export async function getVerification(ctx: Ctx, id: string): Promise<Verification> {
  const job = await findJobByKind(ctx.engine.db, verifyKind, id);
  if (!job) throw new AppError('not_found');
  const state = job.payload as unknown as State;
  return {
    ...presentJob(job, await readWaitingReasons(ctx, [job])),
    account_id: state.account_id,
    repair: state.repair,
    deep: state.deep,
    accounts: state.accounts,
    checked: state.checked,
    outdated: state.outdated,
    repaired: state.repaired,
    stray_blobs: state.stray_blobs,
    faults_total: state.faults_total,
    faults_left: state.faults_left,
    faults: state.faults,
    damaged_pages: state.damaged_pages,
  };
}

/** Job: account by account, check by check, step by step; continues from its saved state. */
export async function runVerificationJob(
  app: App,
  job: RunningJob,
  checks: readonly ConsistencyCheck[],
) {
  const state = job.payload as unknown as State;
  const total = state.account_id === null ? await countAccounts(app.engine.db) : 1;
  const save = () => job.saveProgress(shareOf(state, total), { ...state });
  // Repairs and reading whole files may take long: the heartbeat renews the lease.
  await using heartbeat = new JobHeartbeat(app.clock, job);
  try {
    for (;;) {
      heartbeat.reportProgress(shareOf(state, total));
      if (state.pages !== null) await readPages(app, state, state.pages);
      else if (state.account === null && !(await nextAccount(app, state, checks))) break;
      else await runStep(app, state, checks, heartbeat.signal);
      if (state.repair) await save();
      if (!job.shouldYield()) continue;
      await save();
      return requeueResult;
    }
    if (state.account_id === null)
      state.stray_blobs = await countOrphanBlobs(app, heartbeat.signal);
    await save();
    return undefined;
  } catch (error) {
    // Continues from the last saved state.
    if (error instanceof JobStopped) return requeueResult;
    throw error;
  }
}

export type VerificationResult = Pick<
  State,
  'accounts' | 'checked' | 'outdated' | 'faults' | 'faults_total' | 'damaged_pages' | 'stray_blobs'
>;

/** Verifies all accounts and every byte of the files at once, while no server runs. */
export async function verifyOffline(
  app: App,
  checks: readonly ConsistencyCheck[],
  onProgress: (share: number) => void,
): Promise<VerificationResult> {
  const state = initialState(null, false, true);
  const job: RunningJob = {
    id: app.ids.uuid(),
    accountId: null,
    payload: state as unknown as Record<string, unknown>,
    spaces: null,
    saveProgress: async (share) => onProgress(share),
    shouldYield: () => false,
    isLastAttempt: true,
    stopSignal: new AbortController().signal,
  };
  await runVerificationJob(app, job, checks);
  return state;
}

function shareOf({ accounts, account, rows, expected }: State, total: number): number {
  const within = account === null ? 0 : (0.99 * rows) / Math.max(rows, expected, 1);
  return Math.min(1, (accounts + within) / Math.max(total, 1));
}

/** False after the last account. */
async function nextAccount(
  app: App,
  state: State,
  checks: readonly ConsistencyCheck[],
): Promise<boolean> {
  if (state.account_id !== null) {
    if (state.done !== null) return false;
    state.account = state.account_id;
  } else {
    const [id] = await accountIdsAfter(app.engine.db, state.done, 1);
    if (id === undefined) return false;
    state.account = id;
  }
  const ctx = systemCtx(app, state.account);
  const expected = await Promise.all(checks.map((check) => check.expectedRows?.(ctx) ?? 1));
  Object.assign(state, { check: checks[0]?.name ?? null, after: null, rows: 0 });
  state.expected = expected.reduce((sum, rows) => sum + rows, 0);
  return true;
}

async function runStep(
  app: App,
  state: State,
  checks: readonly ConsistencyCheck[],
  signal: AbortSignal,
): Promise<void> {
  const { account } = state;
  const check = currentCheck(state, checks);
  if (account === null) return;
  if (!check) return finishAccount(state);
  const ctx = systemCtx(app, account);
  const step = await runInSnapshot(app.engine, async (tx) =>
    (await accountExists(tx, account))
      ? check.read(ctx, tx, state.after, { deep: state.deep, signal })
      : null,
  ).catch((error: unknown) => {
    if (isDamagedDataError(error)) return unreadableStep(error);
    throw error;
  });
  // Deleted in the meantime: its rows are being erased and may be inconsistent.
  if (step === null) return finishAccount(state);
  const inconsistencies = await step.compare();
  if (inconsistencies.length > 0) await recordInconsistencies(ctx, state, check, inconsistencies);
  state.checked[check.name] = (state.checked[check.name] ?? 0) + step.rows;
  state.rows += step.rows;
  state.after = step.next;
  if (step.next === null) state.check = checks[checks.indexOf(check) + 1]?.name ?? null;
}

function currentCheck(
  state: State,
  checks: readonly ConsistencyCheck[],
): ConsistencyCheck | undefined {
  if (state.check === null) return undefined;
  const current = checks.find(({ name }) => name === state.check);
  if (current) return current;
  // The job started in a version with other checks: the account starts again with the first one.
  Object.assign(state, { check: checks[0]?.name ?? null, after: null });
  return checks[0];
}

/** Skips the rest of the check; the next check may read other rows. */
const unreadableStep = ({ message }: Error): ConsistencyCheckStep => ({
  rows: 0,
  next: null,
  compare: () => [{ code: 'unreadable', id: null, message: `stored rows are damaged: ${message}` }],
});

/** Checks some pages; continues with the next relation after the last page. */
async function readPages(
  { engine }: App,
  state: State,
  { oid, from }: NonNullable<State['pages']>,
): Promise<void> {
  const relation = await readNextRelation(engine, oid);
  if (relation === null) {
    state.pages = null;
    return;
  }
  const damaged = await findDamagedPages(engine, relation, from);
  for (const page of damaged) {
    engine.integrity.recordDamagedPage(
      `page ${page.page} of ${page.relation} cannot be read (${page.message})`,
    );
    state.faults_total += 1;
    state.faults_left += 1;
    if (state.damaged_pages.length < storedFaultsMax) state.damaged_pages.push(page);
  }
  const next = Math.min(from + pagesPerBatch, relation.pages);
  state.checked.pages = (state.checked.pages ?? 0) + Math.max(next - from, 0);
  state.pages = next < relation.pages ? { oid, from: next } : { oid: relation.oid, from: 0 };
}

function finishAccount(state: State): void {
  state.done = state.account;
  state.account = null;
  state.accounts += 1;
}

async function recordInconsistencies(
  ctx: Ctx,
  state: State,
  check: ConsistencyCheck,
  inconsistencies: readonly Inconsistency[],
): Promise<void> {
  const repairedIds =
    state.repair && check.repair ? await check.repair(ctx, inconsistencies) : new Set<string>();
  const isRepaired = ({ id }: Inconsistency): boolean => id !== null && repairedIds.has(id);
  state.repaired += inconsistencies.filter(isRepaired).length;
  for (const inconsistency of inconsistencies) {
    if (inconsistency.isOutdated) {
      if (!isRepaired(inconsistency)) state.outdated += 1;
      continue;
    }
    state.faults_total += 1;
    const repaired = isRepaired(inconsistency);
    if (!repaired) state.faults_left += 1;
    if (state.faults.length >= storedFaultsMax) continue;
    const { code, id, message } = inconsistency;
    const where = { account_id: ctx.actor.accountId, check: check.name };
    state.faults.push({ ...where, code, id, message, repaired });
  }
}
