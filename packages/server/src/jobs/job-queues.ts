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
