import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** A running server that others of its database reach at `url`. */
export interface LiveProcess {
  /** Of one start: a restarted process is another one. */
  readonly id: string;
  readonly url: string;
}

export interface Heartbeat {
  readonly databaseTime: Date;
  /** The live processes of the same release, without the own one. */
  readonly others: readonly LiveProcess[];
}

interface HeartbeatInput {
  /** Null: a process that nobody forwards to only reads. */
  readonly own: LiveProcess | null;
  readonly release: string;
  /** Age of the last heartbeat up to which a process is live, by the clock of the database. */
  readonly liveMs: number;
}

interface HeartbeatRow {
  readonly database_time: Date;
  readonly others: readonly LiveProcess[];
}

/** Rows of processes that were killed are removed by any other one. */
const removedAfterSeconds = 3_600;

/** Renews the row of a process and reads the live ones, in one statement. */
export async function recordHeartbeat(
  db: Db,
  { own, release, liveMs }: HeartbeatInput,
): Promise<Heartbeat> {
  const renewal =
    own === null
      ? sql``
      : sql`
    with renewed as (
      insert into live_processes (id, url, release, started_at, heartbeat_at)
      values (${own.id}::uuid, ${own.url}, ${release}, now(), now())
      on conflict (id) do update set heartbeat_at = excluded.heartbeat_at
    ), removed as (
      delete from live_processes where id in (
        select id from live_processes
        where heartbeat_at < now() - make_interval(secs => ${removedAfterSeconds}::float8)
        for update skip locked
      )
    )`;
  const { rows } = await sql<HeartbeatRow>`${renewal}
    select now() as database_time, coalesce((
      select json_agg(json_build_object('id', id, 'url', url)) from live_processes
      where release = ${release} and id is distinct from ${own?.id ?? null}::uuid
        and heartbeat_at > now() - make_interval(secs => ${liveMs / 1_000}::float8)
    ), '[]') as others`.execute(db);
  const [row] = rows as [HeartbeatRow];
  return { databaseTime: row.database_time, others: row.others };
}

/** Removes a process that stops: from their next heartbeat on, others do not forward to it. */
export const removeLiveProcess = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('live_processes').where('id', '=', id).execute();
