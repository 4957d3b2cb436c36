import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** Which of these jobs are queued or running. */
export async function filterActiveJobs(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('status', 'in', ['queued', 'running'])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
