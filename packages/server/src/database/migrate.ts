import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { AppliedMigration } from './backup/database-backup.ts';
import { distributeNewTables } from './distribution/distribute.ts';
import type { Db, Engine, EngineLog, Tx } from './engine.ts';
import { DatabaseTooNew, MigrationError } from './errors.ts';
import { hasSchemaMarker, moveSchemaMarker } from './schema-marker.ts';
import { splitStatements } from './split-statements.ts';
import { DISABLE_STATEMENT_TIMEOUT } from './transaction.ts';

/** An arbitrary constant: one advisory lock for all migrations of a database. */
export const migrationLockKey = 7_163_655_300_141;

export interface Migration {
  version: number;
  /** File name. */
  name: string;
  text: string;
  /** SHA-256 of the text with normalized line ends, in hex. */
  checksum: string;
}

/** Compares the schema of a database with the migrations of this version. */
export interface SchemaState {
  /** Version of the database; 0 if it was never migrated. */
  readonly version: number;
  /** Version of the program. */
  readonly newest: number;
  /** Names of the files that the next start will apply. */
  readonly pending: readonly string[];
}

/**
 * Compares the database with a folder of migrations, without writing. Throws DatabaseTooNew if the
 * database has a later version than the folder, MigrationError if an applied file was changed or
 * removed, or if the numbers are not 1, 2, 3 ….
 */
export async function readSchemaState({ db }: Engine, folder: string): Promise<SchemaState> {
  const migrations = await readMigrations(folder);
  const applied = await listAppliedMigrations({ db });
  check(migrations, applied);
  const version = versionOf(applied);
  return {
    version,
    newest: migrations.length,
    pending: migrations.slice(version).map(({ name }) => name),
  };
}

/**
 * Applies the pending files `0001_name.sql` … of a folder in order, each in its own transaction
 * with any number of statements, and then requires that schema version. Two processes may start at
 * the same time: the second waits and finds the work done. Transactions of processes of an older
 * version finish first; later ones are rejected.
 *
 * In: `upTo`, the last version to apply. Default: all.
 *
 * Returns the names of the files applied by this call. Throws, before writing anything, the errors
 * of readSchemaState, and DatabaseTooNew if the folder has no version `upTo`; and the PostgreSQL
 * error of a file, which the message names.
 */
export async function migrate(
  engine: Engine,
  folder: string,
  deps: { log: EngineLog; upTo?: number },
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const { upTo = migrations.length } = deps;
  if (upTo > migrations.length) {
    throw new DatabaseTooNew(
      `Schema version ${upTo} is required, but this version of Mneme supports schema versions up ` +
        `to ${migrations.length}. Use a newer version of Mneme.`,
    );
  }
  // Another process may apply files at the same time.
  engine.requireSchema(null);
  const { version } = await readSchemaState(engine, folder);
  await prepare(engine, version >= upTo ? version : 0);
  const applied: string[] = [];
  for (const migration of migrations.slice(version, upTo)) {
    if (await apply(engine, migration, migrations)) {
      deps.log.debug({ migration: migration.name }, 'migration applied');
      applied.push(migration.name);
    }
  }
  if (applied.length > 0) {
    const newest = applied.at(-1);
    deps.log.info({ migrations: applied.length, newest }, 'database migrated');
  }
  engine.requireSchema(upTo);
  return { applied };
}

/** Creates the table of migrations and, on a server, the marker of a version already reached. */
async function prepare(engine: Engine, version: number): Promise<void> {
  const isMarked = engine.kind === 'embedded' || version === 0;
  if (version > 0 && (isMarked || (await hasSchemaMarker(engine.db, version)))) return;
  await engine.transaction(async (tx) => {
    await lock(tx);
    await sql`create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(tx);
    // If another process has migrated further, it maintains the marker.
    if (!isMarked && versionOf(await listAppliedMigrations({ db: tx })) === version) {
      await moveSchemaMarker(tx, version, version);
    }
  });
}

/** Returns true if this call applied the migration, false if it was already applied. */
function apply(engine: Engine, migration: Migration, all: Migration[]): Promise<boolean> {
  return engine.transaction(async (tx) => {
    await lock(tx);
    const before = await listAppliedMigrations({ db: tx });
    check(all, before);
    if (before.some((row) => row.version === migration.version)) return false;
    // Before the migration itself, so that no transaction of the previous version waits for its
    // locks.
    if (engine.kind === 'server') await moveSchemaMarker(tx, versionOf(before), migration.version);
    try {
      if (engine.isDistributed) await runOneShardAtATime(tx);
      // One by one: a distributed database takes no several statements at once.
      for (const statement of splitStatements(migration.text)) {
        await sql.raw(statement).execute(tx);
      }
      if (engine.isDistributed) await distributeNewTables(tx);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(`Migration ${migration.name} failed: ${reason}`, { cause: error });
    }
    const { version, name, checksum } = migration;
    await sql`insert into schema_migrations (version, name, checksum)
      values (${version}, ${name}, ${checksum})`.execute(tx);
    return true;
  });
}

/** Statements on several tables of a transaction would wait for each other on the nodes. */
async function runOneShardAtATime(tx: Tx): Promise<void> {
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
}

/**
 * Acquires the migration lock until the transaction ends. Building an index may exceed the usual
 * timeouts.
 */
async function lock(tx: Tx): Promise<void> {
  await sql.raw(DISABLE_STATEMENT_TIMEOUT).execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(${migrationLockKey}::bigint)`.execute(tx);
}

const APPLIED = 'select version, name, checksum from schema_migrations order by version';

/**
 * The migrations of a database, in order; empty if it was never migrated. `query` runs a statement
 * and returns its rows.
 */
export async function readAppliedMigrations(
  query: (statement: string) => Promise<object[]>,
): Promise<AppliedMigration[]> {
  const table = await query("select where to_regclass('schema_migrations') is not null");
  return table.length === 0 ? [] : ((await query(APPLIED)) as AppliedMigration[]);
}

/** The applied migrations of a database, in order; empty if it has no tables. */
export const listAppliedMigrations = ({ db }: { db: Db }): Promise<AppliedMigration[]> =>
  readAppliedMigrations(async (statement) => (await sql.raw<object>(statement).execute(db)).rows);

const versionOf = (applied: readonly AppliedMigration[]): number => applied.at(-1)?.version ?? 0;

function check(migrations: Migration[], applied: AppliedMigration[]): void {
  const newest = migrations.length;
  if (versionOf(applied) > newest) {
    throw new DatabaseTooNew(
      `The database has schema version ${versionOf(applied)} (${applied.at(-1)?.name}), but this ` +
        `version of Mneme supports schema versions up to ${newest}: start the version of Mneme ` +
        'that upgraded the database or a newer one, or restore a backup made before the upgrade.',
    );
  }
  for (const row of applied) {
    const file = migrations[row.version - 1];
    if (file?.checksum !== row.checksum) {
      throw new MigrationError(
        `Migration ${row.name} was changed after it was applied: restore the original file and ` +
          'put the change into a new migration.',
      );
    }
  }
}

/** The migrations of a folder, in order. Throws MigrationError for a gap in the numbers. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1]);
      if (version !== index + 1) {
        throw new MigrationError(
          `${name}: name migrations 0001_name.sql, 0002_name.sql … without gaps`,
        );
      }
      const raw = await fs.readFile(path.join(folder, name), 'utf8');
      const text = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version, name, text, checksum };
    }),
  );
}
