import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

const minuteMs = 60_000;
const dueMinutes = 60;
const abandonedMinutes = 10;
const failedMinutes = 24 * 60;

export interface StuckJobs {
  readonly state: 'due' | 'abandoned' | 'failed';
  readonly kind: string;
  readonly count: number;
  /** When the first of them became due, lost its lease, or failed. */
  readonly since: Date;
}

/** By state and kind: overdue jobs, jobs with an expired lease, and failed jobs of the last day. */
export async function countStuckJobs(db: Db, now: Date): Promise<StuckJobs[]> {
  const before = (minutes: number): Date => new Date(now.getTime() - minutes * minuteMs);
  const { rows } = await sql<StuckJobs>`
    select state, kind, count(*)::int as count, min(since) as since
    from (
      select 'due' as state, kind, run_at as since from jobs
      where status = 'queued' and run_at < ${before(dueMinutes)}::timestamptz
      union all
      select 'abandoned', kind, lease_until from jobs
      where status = 'running' and lease_until < ${before(abandonedMinutes)}::timestamptz
      union all
      select 'failed', kind, finished_at from jobs
      where status = 'failed' and finished_at > ${before(failedMinutes)}::timestamptz
    ) as stuck
    group by state, kind
    order by state, kind`.execute(db);
  return rows;
}
