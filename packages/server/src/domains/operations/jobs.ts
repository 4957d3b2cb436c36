import {
  type Job,
  parseId,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { findJob, type JobRow, listJobs, retryFailedJob } from '../../jobs/job-queue.ts';
import { registeredJobKinds } from '../../jobs/job-worker.ts';
import { readWaitingReasons, type WaitingReasons } from '../../jobs/waiting-reasons.ts';
import { AppError } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { cancelRun, canReadRun, clusterRunJobKind } from '../clusters/index.ts';
import { type Ctx, canReadSpace, canUseSpaces, withTransaction } from '../ctx.ts';
import { findMemory } from '../memories/index.ts';
import { presentJob } from './job-fields.ts';
import { cancelModelChange } from './models/change-job.ts';
import { changeModelKind } from './models/choice.ts';

export const toJobResponse = (job: JobRow, reasons: WaitingReasons): Job => ({
  ...presentJob(job, reasons),
  kind: job.kind,
  attempts: job.attempts,
  result: job.result,
});

/** Returns a job of the account that the key may see. Throws 404 not_found. */
export async function getJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job || !(await canSeeJob(ctx, job))) throw new AppError('not_found');
  return toJobResponse(job, await readWaitingReasons(ctx, [job]));
}

const isJobId = (value: unknown): value is string =>
  typeof value === 'string' && parseId(value, 'other') === value;

type PageQuery = ValidatedRequest<typeof routes.jobs.list>['query'] & {
  readonly accountId: string | undefined;
};

/** A page of jobs; `list` names the list in its cursors. Throws 400 invalid_request for others. */
export async function readPage(
  ctx: Ctx,
  list: string,
  { limit, cursor, ...filter }: PageQuery,
): Promise<{ jobs: JobRow[]; has_more: boolean; next_cursor: string | null }> {
  const cursorScope = { list, ...filter };
  const before = cursor === undefined ? null : decodeCursor(cursorScope, cursor, isJobId);
  const rows = await listJobs(ctx.engine.db, { ...filter, before, limit: limit + 1 });
  const jobs = rows.slice(0, limit);
  const last = jobs.at(-1);
  const has_more = rows.length > limit;
  return {
    jobs,
    has_more,
    next_cursor: has_more && last ? encodeCursor(cursorScope, last.id) : null,
  };
}

/** Lists jobs of the account that the key may see. Throws 400 invalid_request for the cursor. */
export async function listAccountJobs(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.jobs.list>['query'],
): Promise<ResponseBody<typeof routes.jobs.list>> {
  const { accountId } = ctx.actor;
  const { jobs, ...position } = await readPage(ctx, 'jobs', { accountId, ...query });
  const reasons = await readWaitingReasons(ctx, jobs);
  const data: Job[] = [];
  for (const job of jobs) if (await canSeeJob(ctx, job)) data.push(toJobResponse(job, reasons));
  return { data, ...position };
}

/** A limited key sees jobs of keys within its spaces, and jobs about its spaces. */
async function canSeeJob(ctx: Ctx, { id, kind, payload, spaces }: JobRow): Promise<boolean> {
  const { actor } = ctx;
  if (canUseSpaces(actor, spaces)) return true;
  if (kind === clusterRunJobKind) return canReadRun(ctx, id);
  if (typeof payload.memory_id !== 'string') return false;
  const memory = await findMemory(ctx, payload.memory_id);
  return memory !== undefined && canReadSpace(actor, memory.space_id);
}

/**
 * Cancels a waiting or running job. Throws 404 not_found, 409 conflict if it has ended, or if it
 * must not be cancelled half-way.
 */
export async function cancelJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  // It waits for nothing.
  const present = (cancelled: JobRow): Job => toJobResponse(cancelled, new Map());
  if (job.kind === clusterRunJobKind) return cancelRun(ctx, id, present);
  if (!(await canSeeJob(ctx, job))) throw new AppError('not_found');
  if (job.kind === changeModelKind) return cancelModelChange(ctx, job, present);
  throw new AppError('conflict', { message: 'Jobs of this kind cannot be cancelled.' });
}

/**
 * Runs a failed job again. Throws 404 not_found, 409 conflict if it has not failed, or if another
 * request begins its work again.
 */
export async function retryJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job || !(await canSeeJob(ctx, job))) throw new AppError('not_found');
  return queueAgain(ctx, job, toJobResponse);
}

/** Returns the queued job as `present` shows it. Throws 409 conflict. */
export async function queueAgain<T>(
  ctx: Ctx,
  job: JobRow,
  present: (queued: JobRow, reasons: WaitingReasons) => T,
): Promise<T> {
  const { id, kind, status } = job;
  const { restartedBy } = registeredJobKinds.of(ctx).get(kind) ?? {};
  if (restartedBy !== undefined) {
    const message = `Jobs of this kind are not retried: ${restartedBy} begins the work again.`;
    throw new AppError('conflict', { message });
  }
  const reasons = await readWaitingReasons(ctx, [{ ...job, status: 'queued', lease_until: null }]);
  // A repeated request gets what the transaction returns.
  return withTransaction(ctx, async ({ tx, clock }) => {
    const queued = await retryFailedJob(tx, id, clock.now());
    if (queued !== undefined) return present(queued, reasons);
    const message = `Only failed jobs are retried: this one is ${status}.`;
    throw new AppError('conflict', { message });
  });
}
