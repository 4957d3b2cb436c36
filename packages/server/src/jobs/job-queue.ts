import type { Job } from '@mneme/contract';
import { sql } from 'kysely';
import { type Db, isDue } from '../database/index.ts';
import { activeSpan } from '../kernel/tracing.ts';
import { defaultQueue, isJobDue, jobWaitMsMax, pauseName } from './job-queues.ts';

export interface NewJob {
  readonly id: string;
  readonly accountId: string | null;
  readonly kind: string;
  readonly payload: Record<string, unknown>;
  /** The spaces of the key that causes the job (`default`: account level); null: all spaces. */
  readonly spaces: readonly string[] | null;
  readonly runAt: Date;
  readonly dedupeKey?: string;
}

export interface JobRow {
  readonly id: string;
  readonly account_id: string | null;
  readonly kind: string;
  readonly payload: Record<string, unknown>;
  readonly spaces: string[] | null;
  readonly status: Job['status'];
  /** Until when the worker of a running job has it; null: it does not run. */
  readonly lease_until: Date | null;
  readonly progress: number;
  readonly attempts: number;
  readonly failures: number;
  readonly error: string | null;
  readonly result: Record<string, unknown> | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = [
  'id',
  'account_id',
  'kind',
  'payload',
  'spaces',
  'status',
  'lease_until',
  'progress',
  'attempts',
  'failures',
  'error',
  'result',
  'created_at',
  'finished_at',
] as const;

/**
 * In the stored payload: the `traceparent` of the request that queued the job, if its trace is
 * recorded. Jobs do not see it.
 */
const traceparentField = 'traceparent';

/** What a stored payload has for the job itself, and the request that queued it. */
export function splitPayload({ payload }: JobRow): {
  readonly payload: JobRow['payload'];
  readonly traceparent: string | undefined;
} {
  const { [traceparentField]: traceparent, ...own } = payload;
  return { payload: own, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

const joinPayload = (payload: JobRow['payload'], traceparent: string | undefined): string =>
  JSON.stringify(
    traceparent === undefined ? payload : { ...payload, [traceparentField]: traceparent },
  );

/** By transaction: the accounts of the queued jobs; '' for jobs of the service itself. */
const queuedAccounts = new WeakMap<Db, Set<string>>();

/** The accounts for which a transaction has queued jobs, to wake the worker after the commit. */
export const accountsWithQueuedJobs = (tx: Db): ReadonlySet<string> =>
  queuedAccounts.get(tx) ?? new Set();

/** Queues a job in the caller's transaction. False if a job has the same dedupe key. */
export async function enqueueJob(db: Db, job: NewJob): Promise<boolean> {
  const row = await db
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: job.accountId,
      kind: job.kind,
      payload: joinPayload(job.payload, activeSpan()?.traceparent),
      spaces: job.spaces && [...job.spaces],
      run_at: job.runAt,
      dedupe_key: job.dedupeKey ?? null,
      created_at: job.runAt,
    })
    .onConflict((on) => on.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return false;
  queuedAccounts.set(db, (queuedAccounts.get(db) ?? new Set()).add(job.accountId ?? ''));
  return true;
}

interface LeaseOptions {
  readonly now: Date;
  readonly until: Date;
  readonly served?: readonly string[];
  readonly payloads?: Readonly<Record<string, JobRow['payload']>>;
  /** The queue of the kinds: nothing is leased while it is paused. */
  readonly queue?: string;
}

/**
 * Leases the next due job of some kinds: a queued one, or a running one whose lease expired because
 * its worker died. SKIP LOCKED allows several workers to lease concurrently.
 * @param served accounts with the lowest priority, the lowest last
 * @param payloads by kind: what the payload must contain
 */
export async function leaseNextJob(
  db: Db,
  kinds: readonly string[],
  { now, until, served = [], payloads = {}, queue = defaultQueue }: LeaseOptions,
): Promise<JobRow | undefined> {
  // Without served accounts, the index provides the order.
  const fairnessOrder =
    served.length === 0 ? sql`` : sql`coalesce(array_position(${served}::uuid[], account_id), 0),`;
  const { rows } = await sql<JobRow>`
    update jobs set status = 'running', attempts = attempts + 1, error = null,
      lease_until = ${until}::timestamptz
    where id = (
      select id from jobs
      where kind = any(${kinds}::text[])
        and not exists (select 1 from installation where name = ${pauseName(queue)})
        and coalesce(payload @> (${JSON.stringify(payloads)}::jsonb -> kind), true)
        and ${isJobDue(now)}
      order by ${fairnessOrder} run_at limit 1 for update skip locked
    )
    returning ${sql.join(columns.map((column) => sql.ref(column)))}
  `.execute(db);
  return rows[0];
}

/**
 * False if another worker has the lease or the job was cancelled: the caller must stop.
 * @param payload replaces the payload of the job, for the next run
 */
export async function renewJobLease(
  db: Db,
  job: JobRow,
  until: Date,
  progress: number,
  payload?: Record<string, unknown>,
): Promise<boolean> {
  const { traceparent } = splitPayload(job);
  const row = await db
    .updateTable('jobs')
    .set({
      lease_until: until,
      progress,
      ...(payload === undefined ? {} : { payload: joinPayload(payload, traceparent) }),
    })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** @param result what the job reports */
export async function completeJob(
  db: Db,
  job: JobRow,
  now: Date,
  result: Record<string, unknown> | null = null,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      status: 'completed',
      progress: 1,
      error: null,
      result: result && JSON.stringify(result),
      lease_until: null,
      finished_at: now,
    })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .execute();
}

/** Queues a long job again, behind all due jobs. */
export async function requeueJob(db: Db, job: JobRow, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'queued', failures: 0, lease_until: null, run_at: now })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .execute();
}

/**
 * Releases all running jobs at the start on an embedded database: no other process can have the
 * database open, so their worker is dead and the leases need not expire first.
 */
export async function releaseRunningJobs(db: Db): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'queued', lease_until: null })
    .where('status', '=', 'running')
    .execute();
}

/** Queues the job again for `retryAt`, or marks it as `failed` if that is null. */
export async function retryOrFailJob(
  db: Db,
  job: JobRow,
  failure: { error: string; retryAt: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      status: failure.retryAt === null ? 'failed' : 'queued',
      error: failure.error.slice(0, 1_000),
      failures: job.failures + 1,
      lease_until: null,
      ...(failure.retryAt === null ? { finished_at: failure.now } : { run_at: failure.retryAt }),
    })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .execute();
}

export async function findJob(db: Db, accountId: string, id: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export interface JobSelection {
  /** Undefined: the jobs of all accounts and of the service. */
  readonly accountId: string | undefined;
  readonly status?: Job['status'] | undefined;
  readonly kind?: string | undefined;
  /** Only older jobs than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Jobs, newest first: their ids begin with a time. */
export async function listJobs(
  db: Db,
  { accountId, status, kind, before, limit }: JobSelection,
): Promise<JobRow[]> {
  let query = db.selectFrom('jobs').select(columns);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (before !== null) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Queues a failed job again, with all its attempts. Undefined if it has not failed. */
export const retryFailedJob = (db: Db, id: string, now: Date): Promise<JobRow | undefined> =>
  db
    .updateTable('jobs')
    .set({
      status: 'queued',
      progress: 0,
      failures: 0,
      error: null,
      finished_at: null,
      run_at: now,
    })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .returning(columns)
    .executeTakeFirst();

/** A job of any account or of the service. */
export const findAnyJob = (db: Db, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('jobs').select(columns).where('id', '=', id).executeTakeFirst();

/** A job of any account; for kinds that only the operator requests. */
export const findJobByKind = (db: Db, kind: string, id: string): Promise<JobRow | undefined> =>
  db
    .selectFrom('jobs')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Queued and running jobs, oldest first. */
export const findActiveJobs = (db: Db, kind: string): Promise<JobRow[]> =>
  db
    .selectFrom('jobs')
    .select(columns)
    .where('kind', '=', kind)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .execute();

/** Cancels a queued or running job; a running one notices it when it saves its progress. */
export async function cancelJob(db: Db, id: string, now: Date): Promise<JobRow | undefined> {
  return db
    .updateTable('jobs')
    .set({ status: 'cancelled', lease_until: null, finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(columns)
    .executeTakeFirst();
}

/** Ends a queued or running job; a running one notices it when it saves its progress. */
export async function endJob(
  db: Db,
  id: string,
  { status, error, now }: { status: 'failed' | 'cancelled'; error: string | null; now: Date },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status, error: error?.slice(0, 1_000) ?? null, lease_until: null, finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

/** Cancels queued and running jobs; a running one notices it when it saves its progress. */
export async function cancelJobs(db: Db, kind: string, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'cancelled', lease_until: null, finished_at: now })
    .where('kind', '=', kind)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

/**
 * Deletes jobs that ended before a time. Completed jobs of the service itself have a shorter
 * retention than jobs of accounts, which clients may still read. Returns how many.
 */
export async function pruneJobs(
  db: Db,
  before: { accounts: Date; own: Date },
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where finished_at < ${before.accounts}::timestamptz
        or (finished_at < ${before.own}::timestamptz and account_id is null
          and status = 'completed')
      limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface JobCount {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
  /** How long the oldest due job has waited; 0: none waits. */
  readonly oldestDueSeconds: number;
}

/** The jobs that have not completed, by kind. */
export async function countJobs(db: Db, now: Date): Promise<JobCount[]> {
  const { rows } = await sql<
    Record<'queued' | 'running' | 'failed', string> & {
      kind: string;
      oldest: Date | null;
    }
  >`
    select kind,
      count(*) filter (where status = 'queued') as queued,
      count(*) filter (where status = 'running') as running,
      count(*) filter (where status = 'failed') as failed,
      min(run_at) filter (
        where status = 'queued' and ${isDue('run_at', now, jobWaitMsMax)}
      ) as oldest
    from jobs where status in ('queued', 'running', 'failed') group by kind`.execute(db);
  return rows.map(({ kind, queued, running, failed, oldest }) => ({
    kind,
    queued: Number(queued),
    running: Number(running),
    failed: Number(failed),
    oldestDueSeconds: Math.max(0, now.getTime() - (oldest ?? now).getTime()) / 1_000,
  }));
}
