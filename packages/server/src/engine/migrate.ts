import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db, Engine, EngineLog, Tx } from './engine.ts';
import { DatabaseTooNew, MigrationRefused } from './errors.ts';
import { WITHOUT_LIMIT } from './transaction.ts';

/** Any constant that nothing else takes; one lock for all migrations of a database. */
const LOCK_KEY = 7_163_655_300_141;

interface Migration {
  version: number;
  /** The file's name. */
  name: string;
  text: string;
  /** SHA-256 of the text with plain line ends, in hex. */
  checksum: string;
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
}

/**
 * Applies the files `0001_name.sql` … of a folder that are not applied yet, in order, each in a
 * transaction of its own with any number of statements. Two processes may start together: the
 * second waits and finds the work done.
 *
 * Out: names of the files applied now. Throws DatabaseTooNew when the database has a version that
 * the folder lacks at its end, MigrationRefused when an applied file was changed or removed, or
 * when the numbers are not 1, 2, 3 …; and what PostgreSQL says about a file, named in the message.
 */
export async function migrate(
  engine: Engine,
  folder: string,
  deps: { log: EngineLog },
): Promise<{ applied: string[] }> {
  const migrations = await readFolder(folder);
  await engine.transaction(async (tx) => {
    await lock(tx);
    await sql`create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(tx);
  });
  check(migrations, await readApplied(engine.db));
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await apply(engine, migration, migrations)) {
      deps.log.debug({ migration: migration.name }, 'migration applied');
      applied.push(migration.name);
    }
  }
  if (applied.length > 0) {
    const newest = applied.at(-1);
    deps.log.info({ migrations: applied.length, newest }, 'the database was brought up to date');
  }
  return { applied };
}

/** True when this call applied it, false when it was there already. */
function apply(engine: Engine, migration: Migration, all: Migration[]): Promise<boolean> {
  return engine.transaction(async (tx) => {
    await lock(tx);
    const before = await readApplied(tx);
    check(all, before);
    if (before.some((row) => row.version === migration.version)) return false;
    try {
      await sql.raw(migration.text).execute(tx);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationRefused(`Migration ${migration.name} failed: ${reason}`, { cause: error });
    }
    const { version, name, checksum } = migration;
    await sql`insert into schema_migrations (version, name, checksum)
      values (${version}, ${name}, ${checksum})`.execute(tx);
    return true;
  });
}

/** Held until the transaction ends. Building an index may take longer than the usual limits. */
async function lock(tx: Tx): Promise<void> {
  await sql.raw(WITHOUT_LIMIT).execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(tx);
}

async function readApplied(db: Db): Promise<Applied[]> {
  const query = sql<Applied>`select version, name, checksum from schema_migrations
    order by version`;
  return (await query.execute(db)).rows;
}

function check(migrations: Migration[], applied: Applied[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const row of applied) {
    const file = migrations[row.version - 1];
    if (row.version > newest) {
      throw new DatabaseTooNew(
        `The database has migration ${row.name}, but this version of Mneme ends at ` +
          `${newest}: start the newer version, or restore a backup made before it.`,
      );
    }
    if (file?.checksum !== row.checksum) {
      throw new MigrationRefused(
        `Migration ${row.name} was changed after it had been applied: put the file back as it ` +
          'was, and make the change in a new migration.',
      );
    }
  }
}

async function readFolder(folder: string): Promise<Migration[]> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1]);
      if (version !== index + 1) {
        throw new MigrationRefused(
          `${name}: migrations are named 0001_name.sql, 0002_name.sql … without a gap`,
        );
      }
      const raw = await fs.readFile(path.join(folder, name), 'utf8');
      const text = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version, name, text, checksum };
    }),
  );
}
