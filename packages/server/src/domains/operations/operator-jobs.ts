import type {
  JobQueue,
  OperatorJob,
  ResponseBody,
  routes,
  ValidatedRequest,
} from '@mneme/contract';
import { countJobs, findAnyJob, type JobRow } from '../../jobs/job-queue.ts';
import { defaultQueue, pauseQueue, readPausedQueues, resumeQueue } from '../../jobs/job-queues.ts';
import { queueOfKind, registeredJobKinds } from '../../jobs/job-worker.ts';
import { readWaitingReasons, type WaitingReasons } from '../../jobs/waiting-reasons.ts';
import { AppError } from '../../kernel/errors.ts';
import { recordAuditEntry } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { queueAgain, readPage, toJobResponse } from './jobs.ts';

const toResponse = (ctx: Ctx, job: JobRow, reasons: WaitingReasons): OperatorJob => ({
  ...toJobResponse(job, reasons),
  account_id: job.account_id,
  // Kinds of other versions of the program wait in no queue of this one.
  queue: queueOfKind(ctx, job.kind) ?? defaultQueue,
});

/** Lists the jobs of all accounts. Throws 400 invalid_request for the cursor. */
export async function listAllJobs(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.admin.listJobs>['query'],
): Promise<ResponseBody<typeof routes.admin.listJobs>> {
  const { account_id: accountId, ...page } = query;
  const { jobs, ...position } = await readPage(ctx, 'admin-jobs', { accountId, ...page });
  const reasons = await readWaitingReasons(ctx, jobs);
  return { data: jobs.map((job) => toResponse(ctx, job, reasons)), ...position };
}

/** Runs a failed job of any account again. Throws 404 not_found, 409 conflict. */
export async function retryAnyJob(ctx: Ctx, id: string): Promise<OperatorJob> {
  const job = await findAnyJob(ctx.engine.db, id);
  if (!job) throw new AppError('not_found');
  return queueAgain(ctx, job, (queued, reasons) => toResponse(ctx, queued, reasons));
}

/** The queues of this version of the program, by name. */
export async function listQueues(ctx: Ctx): Promise<{ data: JobQueue[] }> {
  const { db } = ctx.engine;
  const paused = await readPausedQueues(db);
  const counts = await countJobs(db, ctx.clock.now());
  const kinds = [...registeredJobKinds.of(ctx).keys()];
  const byQueue = Map.groupBy(kinds.sort(), (kind) => queueOfKind(ctx, kind) ?? defaultQueue);
  const data = [...byQueue].map(([name, kinds]): JobQueue => {
    const own = counts.filter(({ kind }) => kinds.includes(kind));
    const sum = (field: 'queued' | 'running' | 'failed'): number =>
      own.reduce((total, count) => total + count[field], 0);
    return {
      name,
      paused_at: paused.get(name)?.toISOString() ?? null,
      queued: sum('queued'),
      running: sum('running'),
      failed: sum('failed'),
      oldest_due_seconds: Math.max(0, ...own.map((count) => count.oldestDueSeconds)),
      kinds,
    };
  });
  return { data: data.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

type QueueState = Pick<JobQueue, 'name' | 'paused_at'>;

/** Stops the jobs of a queue in all processes. Throws 404 not_found. */
export async function pauseJobs(ctx: Ctx, name: string): Promise<QueueState> {
  requireQueue(ctx, name);
  const paused_at = await withTransaction(ctx, async (inTx) => {
    const now = inTx.clock.now();
    if (await pauseQueue(inTx.tx, name, now)) await record(inTx, 'queue.paused', name);
    return (await readPausedQueues(inTx.tx)).get(name)?.toISOString() ?? null;
  });
  ctx.log.info({ queue: name }, 'job queue paused');
  return { name, paused_at };
}

/** Due jobs of the queue begin within about a second. Throws 404 not_found. */
export async function resumeJobs(ctx: Ctx, name: string): Promise<QueueState> {
  requireQueue(ctx, name);
  await withTransaction(ctx, async (inTx) => {
    if (await resumeQueue(inTx.tx, name)) await record(inTx, 'queue.resumed', name);
  });
  ctx.log.info({ queue: name }, 'job queue resumed');
  return { name, paused_at: null };
}

function requireQueue(ctx: Ctx, name: string): void {
  const kinds = [...registeredJobKinds.of(ctx).keys()];
  if (!kinds.some((kind) => queueOfKind(ctx, kind) === name)) throw new AppError('not_found');
}

function record(
  inTx: TxCtx,
  action: 'queue.paused' | 'queue.resumed',
  queue: string,
): Promise<void> {
  const { accountId } = inTx.actor;
  const details = { queue };
  return recordAuditEntry(inTx, { action, accountId, targetId: accountId, details });
}
