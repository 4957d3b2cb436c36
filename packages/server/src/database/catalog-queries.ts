import { sql } from 'kysely';
import type { Db } from './engine.ts';

/**
 * Names of tables, views and sequences in the database, without those of extensions; empty for a
 * new database.
 */
export async function listRelations(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(current_schemas(false)) and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend as d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1 limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Number of other connections of Mneme servers to the database of a PostgreSQL server. */
export async function countOtherConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'mneme'
      and pid <> pg_backend_pid()`.execute(db);
  return Number(rows[0]?.count);
}
