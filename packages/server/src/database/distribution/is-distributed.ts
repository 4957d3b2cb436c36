import { sql } from 'kysely';
import type { Db } from '../engine.ts';

/** Whether Citus is installed in the database and has distributed a table. */
export async function isDistributedDatabase(db: Db): Promise<boolean> {
  const installed = await sql<{ found: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as found`.execute(db);
  if (installed.rows[0]?.found !== true) return false;
  const distributed = await sql<{ found: boolean }>`
    select exists (select from pg_dist_partition where partmethod = 'h') as found`.execute(db);
  return distributed.rows[0]?.found === true;
}
