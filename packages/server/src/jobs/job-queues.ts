import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

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

export interface QueueCounts {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
  /** For how long the oldest due job has waited; 0: none waits. */
  readonly oldestDueSeconds: number;
}

/** The jobs that have not completed, by kind. */
export async function countJobsByKind(db: Db, now: Date): Promise<QueueCounts[]> {
  const { rows } = await sql<{
    kind: string;
    queued: string;
    running: string;
    failed: string;
    oldest: Date | null;
  }>`
    select kind,
      count(*) filter (where status = 'queued') as queued,
      count(*) filter (where status = 'running') as running,
      count(*) filter (where status = 'failed') as failed,
      min(run_at) filter (where status = 'queued') as oldest
    from jobs where status in ('queued', 'running', 'failed') group by kind`.execute(db);
  return rows.map(({ kind, queued, running, failed, oldest }) => ({
    kind,
    queued: Number(queued),
    running: Number(running),
    failed: Number(failed),
    oldestDueSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
  }));
}
