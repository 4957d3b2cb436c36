import type { Job } from '@mneme/contract';
import { sql } from 'kysely';
import { type Db, isDue, isLeaseExpired } from '../database/index.ts';

export interface NewJob {
  readonly id: string;
  readonly accountId: string | null;
  readonly kind: string;
  readonly payload: Record<string, unknown>;
  /** Those of the key that causes it (`default`: memories of no space); null: every space. */
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
  readonly progress: number;
  readonly attempts: number;
  readonly failures: number;
  readonly error: string | null;
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
  'progress',
  'attempts',
  'failures',
  'error',
  'created_at',
  'finished_at',
] as const;

/** No job is planned, or tried again, further ahead than an hour. */
const waitMsMax = 86_400_000;

/** By transaction, whose jobs it has queued; the service's own jobs stand under ''. */
const queuedAccounts = new WeakMap<Db, Set<string>>();

/** The accounts for which a transaction has queued jobs: after its commit the worker can begin. */
export const accountsWithQueuedJobs = (tx: Db): ReadonlySet<string> =>
  queuedAccounts.get(tx) ?? new Set();

/** Queues a job in the caller's transaction: it exists when, and only when, the effect does. */
export async function enqueue(db: Db, job: NewJob): Promise<boolean> {
  const row = await db
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: job.accountId,
      kind: job.kind,
      payload: JSON.stringify(job.payload),
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

/**
 * Takes the next due job of some kinds: queued ones, and running ones whose lease ran out because
 * their worker died. SKIP LOCKED lets several workers ask at once.
 * @param served accounts that come after all others, the last of them last
 */
export async function leaseNextJob(
  db: Db,
  kinds: readonly string[],
  { now, until, served = [] }: { now: Date; until: Date; served?: readonly string[] },
): Promise<JobRow | undefined> {
  // Without accounts to look at, the index has them in their order.
  const turn =
    served.length === 0 ? sql`` : sql`coalesce(array_position(${served}::uuid[], account_id), 0),`;
  const { rows } = await sql<JobRow>`
    update jobs set status = 'running', attempts = attempts + 1, error = null,
      lease_until = ${until}::timestamptz
    where id = (
      select id from jobs
      where kind = any(${kinds}::text[])
        and (
          (status = 'queued' and ${isDue('run_at', now, waitMsMax)})
          or (status = 'running' and ${isLeaseExpired('lease_until', now)})
        )
      order by ${turn} run_at limit 1 for update skip locked
    )
    returning ${sql.join(columns.map((column) => sql.ref(column)))}
  `.execute(db);
  return rows[0];
}

/**
 * False when the lease was lost to another worker meanwhile: this one must stop.
 * @param payload kept instead of the one before, for whoever goes on
 */
export async function renewLease(
  db: Db,
  job: JobRow,
  until: Date,
  progress: number,
  payload?: Record<string, unknown>,
): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({
      lease_until: until,
      progress,
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function completeJob(db: Db, job: JobRow, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'completed', progress: 1, error: null, lease_until: null, finished_at: now })
    .where('id', '=', job.id)
    .where('status', '=', 'running')
    .where('attempts', '=', job.attempts)
    .execute();
}

/** Behind everything that is due: a long job that has had its turn. */
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
 * Gives every running job back. For the start on an embedded database: whoever ran them is dead,
 * since no other process can have it open, and no lease need be waited for.
 */
export async function releaseJobs(db: Db): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'queued', lease_until: null })
    .where('status', '=', 'running')
    .execute();
}

/** Back to the queue for `retryAt`, or to the dead letters (`failed`) when it is null. */
export async function retryOrFailJob(
  db: Db,
  job: JobRow,
  outcome: { error: string; retryAt: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      status: outcome.retryAt === null ? 'failed' : 'queued',
      error: outcome.error.slice(0, 1_000),
      failures: job.failures + 1,
      lease_until: null,
      ...(outcome.retryAt === null ? { finished_at: outcome.now } : { run_at: outcome.retryAt }),
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

/** Whoever's it is: for kinds that only the operator asks for. */
export const findJobByKind = (db: Db, kind: string, id: string): Promise<JobRow | undefined> =>
  db
    .selectFrom('jobs')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Those that wait or run, oldest first. */
export const findActiveJobs = (db: Db, kind: string): Promise<JobRow[]> =>
  db
    .selectFrom('jobs')
    .select(columns)
    .where('kind', '=', kind)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .execute();

/** Ends one that waits or runs; what runs learns of it when it stores its progress. */
export async function cancelJob(db: Db, id: string, now: Date): Promise<JobRow | undefined> {
  return db
    .updateTable('jobs')
    .set({ status: 'cancelled', lease_until: null, finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(columns)
    .executeTakeFirst();
}

/** Ends those that wait or run; one that runs learns of it when it stores its progress. */
export async function cancelJobs(db: Db, kind: string, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ status: 'cancelled', lease_until: null, finished_at: now })
    .where('kind', '=', kind)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

/**
 * Removes jobs that ended before a time: an account's may still be asked for, ours less long.
 * Returns how many.
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
