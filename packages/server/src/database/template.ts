import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { systemClock } from '../kernel/clock.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { findMissingDatabaseFiles } from './embedded/missing-files.ts';
import { embeddedStartParameters, preparationStatements } from './embedded/pglite.ts';
import type { EngineLog } from './engine.ts';
import { migrate, readMigrations } from './migrate.ts';

/**
 * A migrated embedded database without any data, which new data folders copy: running initdb and
 * all migrations takes ten times as long.
 */

const namePrefix = 'database-';
const unfinishedPrefix = 'unfinished-';
const abandonedAfterMs = 3_600_000;

/** The template of this version in a folder of templates; null if there is none. */
export async function findDatabaseTemplate(
  parent: string,
  migrations: string | null,
): Promise<string | null> {
  const database = path.join(parent, await templateName(migrations), 'pg');
  return findMissingDatabaseFiles(database).length === 0 ? database : null;
}

/**
 * Creates the template of this version if there is none, and returns the folder of its database.
 * Several processes may do it at the same time. `migrations` is null for one without tables.
 */
export async function ensureDatabaseTemplate(
  parent: string,
  migrations: string | null,
  log: EngineLog,
): Promise<string> {
  const found = await findDatabaseTemplate(parent, migrations);
  if (found !== null) return found;
  const name = await templateName(migrations);
  await fs.mkdir(parent, { recursive: true });
  const unfinished = await fs.mkdtemp(path.join(parent, `${unfinishedPrefix}${name}-`));
  try {
    const engine = await openEmbedded({ kind: 'embedded', dataDir: unfinished }, { log });
    try {
      if (migrations !== null) await migrate(engine, migrations, { log });
    } finally {
      await engine[Symbol.asyncDispose]();
    }
    await fs.rename(unfinished, path.join(parent, name));
  } catch (error) {
    await fs.rm(unfinished, { recursive: true, force: true });
    // Another process may have been first.
    const other = await findDatabaseTemplate(parent, migrations);
    if (other === null) throw error;
    return other;
  }
  return path.join(parent, name, 'pg');
}

/** Removes the templates of other versions, and what an installation that was killed has left. */
export async function removeOtherDatabaseTemplates(
  parent: string,
  migrations: string,
): Promise<void> {
  const name = await templateName(migrations);
  for (const entry of await fs.readdir(parent)) {
    const target = path.join(parent, entry);
    const isOther = entry.startsWith(namePrefix) && entry !== name;
    if (isOther || (entry.startsWith(unfinishedPrefix) && (await isAbandoned(target)))) {
      await fs.rm(target, { recursive: true, force: true });
    }
  }
}

/** Creating a template takes seconds. */
async function isAbandoned(folder: string): Promise<boolean> {
  const { mtimeMs } = await fs.stat(folder);
  return systemClock.now().getTime() - mtimeMs > abandonedAfterMs;
}

const templateName = async (migrations: string | null): Promise<string> =>
  `${namePrefix}${await hashDatabaseVersion(migrations)}`;

/** A hash of all that a new database depends on. */
export async function hashDatabaseVersion(migrations: string | null): Promise<string> {
  const hash = createHash('sha256');
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  hash.update(await fs.readFile(path.join(path.dirname(pglite), '..', 'package.json')));
  hash.update([...embeddedStartParameters, ...preparationStatements].join(' '));
  const files = migrations === null ? [] : await readMigrations(migrations);
  for (const { name, checksum } of files) {
    hash.update(`${name} ${checksum}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
