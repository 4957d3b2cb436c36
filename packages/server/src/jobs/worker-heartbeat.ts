import { sql } from 'kysely';
import type { Db, Engine } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';

/** How often a process that looks for jobs records that it does. */
const heartbeatMs = 10_000;
/** Age of the last heartbeat up to which some process runs jobs, by the clock of the database. */
const liveSeconds = 30;

interface HeartbeatDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

/** Shows the other processes of a server database that one of them runs jobs. */
export class WorkerHeartbeat {
  readonly #deps: HeartbeatDeps;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Called with each poll. The processes write one row, each if it is the first one to do so. */
  async beat(): Promise<void> {
    const { engine, clock } = this.#deps;
    if (engine.kind === 'embedded' || clock.monotonicMs() < this.#nextMs) return;
    this.#nextMs = clock.monotonicMs() + heartbeatMs;
    await sql`
      insert into worker_heartbeats as last (heartbeat_at) values (now())
      on conflict (is_only) do update set heartbeat_at = excluded.heartbeat_at
      where last.heartbeat_at < now() - make_interval(secs => ${heartbeatMs / 2_000}::float8)
    `.execute(engine.db);
  }
}

/** Whether a process of a server database runs jobs. */
export async function hasLiveWorker(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from worker_heartbeats
      where heartbeat_at > now() - make_interval(secs => ${liveSeconds}::float8)
    ) as found`.execute(db);
  return rows[0]?.found === true;
}
