import { sql } from 'kysely';
import type { Db, Engine, EngineLog } from './engine.ts';
import { isDamagedDataError } from './errors.ts';

/**
 * Thresholds as in PostgreSQL's autovacuum: a constant plus a fifth (dead) or a tenth (changed).
 */
const DEAD_ROWS_MIN = 1_000;
const CHANGED_ROWS_MIN = 500;

/**
 * Replaces PostgreSQL's autovacuum process on the embedded engine: it removes dead rows and updates
 * the planner's statistics of the tables that exceed a threshold. Call it every few seconds. Each
 * vacuum blocks the single connection (0.1 s for some ten thousand rows). On a server it only
 * analyzes tables that have no statistics: autovacuum runs at most once a minute, and until then
 * the planner assumes that a new table has few rows.
 *
 * Returns the names of the processed tables.
 */
export async function runAutovacuum(engine: Engine, deps: { log: EngineLog }): Promise<string[]> {
  if (engine.kind === 'server') return analyzeNewTables(engine.db);
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
    const statement = dead ? sql`vacuum (analyze) ${table}` : sql`analyze ${table}`;
    await statement.execute(engine.db).catch((error: unknown) => {
      // One damaged table must not stop the maintenance of the others.
      if (!isDamagedDataError(error)) throw error;
    });
  }
  const names = tables.map((table) => table.name);
  if (names.length > 0) deps.log.debug({ tables: names }, 'tables vacuumed or analyzed');
  return names;
}

async function analyzeNewTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_mod_since_analyze > ${CHANGED_ROWS_MIN}::int
      and last_analyze is null and last_autoanalyze is null
    order by relname`.execute(db);
  // Another process may analyze the same table.
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
  return rows.map(({ name }) => name);
}

const lastVacuum = sql`coalesce(greatest(last_vacuum, last_autovacuum), '-infinity')`;

/** Tables with dead rows whose last vacuum is older than `since`. */
export async function listTablesWithDeadRows(db: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_dead_tup > 0
      and ${lastVacuum} < ${since}::timestamptz
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Vacuums the tables of the embedded database that have any dead rows and whose last vacuum is
 * older than `since`, so that erased content leaves the files. On a server, autovacuum does this.
 * @param shouldStop checked after each table
 */
export async function vacuumStaleTables(
  engine: Engine,
  since: Date,
  shouldStop: () => boolean = () => false,
): Promise<void> {
  if (engine.kind === 'server') return;
  for (const name of await listTablesWithDeadRows(engine.db, since)) {
    await sql`vacuum ${sql.table(name)}`.execute(engine.db);
    if (shouldStop()) return;
  }
}
