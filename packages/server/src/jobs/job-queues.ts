import { type RawBuilder, sql } from 'kysely';
import { type Db, isDue, isLeaseExpired } from '../database/index.ts';

/** The queue of kinds without one of their own. */
export const defaultQueue = 'default';

/** Rows of `installation`: when a queue was paused. */
const pausePrefix = 'queue_paused:';

export const pauseName = (queue: string): string => pausePrefix + queue;

/** The times of pauses by queue. */
export async function readPausedQueues(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where(sql<boolean>`starts_with(name, ${pausePrefix})`)
    .execute();
  return new Map(rows.map(({ name, value }) => [name.slice(pausePrefix.length), new Date(value)]));
}

/** Pauses a queue in all processes. False if it is paused already. */
export async function pauseQueue(db: Db, queue: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name: pauseName(queue), value: now.toISOString() })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n) > 0;
}

/** False if it is not paused. */
export async function resumeQueue(db: Db, queue: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('installation')
    .where('name', '=', pauseName(queue))
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

/** No job is scheduled more than an hour ahead: a later one has a wrong clock and is due now. */
export const jobWaitMsMax = 86_400_000;

/** Queued for a time that has come, or leased by a worker that died. */
export const isJobDue = (now: Date): RawBuilder<boolean> => sql`(
  (status = 'queued' and ${isDue('run_at', now, jobWaitMsMax)})
  or (status = 'running' and ${isLeaseExpired('lease_until', now)})
)`;

/** The names of the queues that have due jobs and are not paused; one statement for all queues. */
export async function findDueQueues(
  db: Db,
  queues: readonly { readonly name: string; readonly kinds: readonly string[] }[],
  now: Date,
): Promise<Set<string>> {
  const json = JSON.stringify(queues.map(({ name, kinds }) => ({ name, kinds })));
  // By "with", each poll checks the schema version: a process without work sees an upgrade, too.
  const { rows } = await sql<{ name: string }>`
    with queue as (
      select * from json_to_recordset(${json}::json) as queue (name text, kinds text[])
    )
    select name from queue
    where exists (select from jobs where kind = any(kinds) and ${isJobDue(now)})
      and not exists (
        select from installation where installation.name = ${pausePrefix}::text || queue.name
      )`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
