import { sql } from 'kysely';
import type { Db, Engine, EngineLog } from './engine.ts';
import { isDamagedDataError } from './errors.ts';

/** Dead rows, and rows changed since the statistics, that are let be; plus a fifth or tenth. */
const DEAD_ROWS_MIN = 1_000;
const CHANGED_ROWS_MIN = 500;

/**
 * Does for the embedded database what autovacuum does on a server (a process of its own there):
 * removes dead rows and renews the planner's statistics, table by table where it is worth it. To be
 * called every few seconds; each table holds the one connection for as long as its vacuum takes
 * (0.1 s for some ten thousand rows). On a server it only analyses tables that never were:
 * autovacuum comes once a minute at most, and a new table may have grown by thousands of rows
 * meanwhile, which the planner takes for a few.
 *
 * Out: names of the tables worked on.
 */
export async function runAutovacuum(engine: Engine, deps: { log: EngineLog }): Promise<string[]> {
  if (engine.kind === 'server') return analyseNewTables(engine.db);
  const due = sql<{ schema: string; name: string; dead: boolean }>`
    select schemaname as schema, relname as name,
      n_dead_tup > ${DEAD_ROWS_MIN}::int + n_live_tup / 5 as dead
    from pg_stat_user_tables
    where n_dead_tup > ${DEAD_ROWS_MIN}::int + n_live_tup / 5
      or n_mod_since_analyze > ${CHANGED_ROWS_MIN}::int + n_live_tup / 10
    order by relname`;
  const tables = (await due.execute(engine.db)).rows;
  for (const { schema, name, dead } of tables) {
    const table = sql.id(schema, name);
    const upkeep = dead ? sql`vacuum (analyze) ${table}` : sql`analyze ${table}`;
    await upkeep.execute(engine.db).catch((error: unknown) => {
      // One damaged table must not keep the others from it.
      if (!isDamagedDataError(error)) throw error;
    });
  }
  const names = tables.map((table) => table.name);
  if (names.length > 0) deps.log.debug({ tables: names }, 'tables vacuumed or analysed');
  return names;
}

async function analyseNewTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_mod_since_analyze > ${CHANGED_ROWS_MIN}::int
      and last_analyze is null and last_autoanalyze is null
    order by relname`.execute(db);
  // Another process may be at it.
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
  return rows.map(({ name }) => name);
}

const lastVacuum = sql`coalesce(greatest(last_vacuum, last_autovacuum), '-infinity')`;

/** Tables with dead rows that were not vacuumed since a time. */
export async function listTablesWithDeadRows(db: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_dead_tup > 0
      and ${lastVacuum} < ${since}::timestamptz
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Vacuums the tables of the embedded database that have dead rows, however few, and were not
 * vacuumed since a time: erased content leaves the files. A server's autovacuum does it there.
 * @param isOver asked after each table
 */
export async function vacuumStaleTables(
  engine: Engine,
  since: Date,
  isOver: () => boolean = () => false,
): Promise<void> {
  if (engine.kind === 'server') return;
  for (const name of await listTablesWithDeadRows(engine.db, since)) {
    await sql`vacuum ${sql.table(name)}`.execute(engine.db);
    if (isOver()) return;
  }
}
