import { readdir } from 'node:fs/promises';
import { type EngineDeps, listRelations, openEngine } from '../database/index.ts';
import type { Config } from '../kernel/config.ts';
import { RestoreRefused } from './errors.ts';

/** Files that may exist in the target data folder of a restore. */
const allowedNames = new Set([
  'backups',
  'erasures.ndjson',
  'lost+found',
  'restore-in-progress.json',
  'restore.lock',
  'restore.lock-journal',
  'secret-key',
]);

/** Backups, and renamed erasure ledgers. */
const allowedPatterns = [/\.backup$/, /^erasures\..+\.ndjson$/];

/** Throws RestoreRefused if the data folder or the server database is not empty. */
export async function requireEmptyRestoreTarget(config: Config, deps: EngineDeps): Promise<void> {
  const existing = (await readdir(config.dataDir)).filter(
    (name) => !allowedNames.has(name) && !allowedPatterns.some((pattern) => pattern.test(name)),
  );
  if (existing.length > 0) {
    const names = existing.slice(0, 3).join(', ');
    throw new RestoreRefused(
      `The data folder ${config.dataDir} is not empty (it has ${names}): ` +
        'choose an empty folder with MNEME_DATA_DIR, or move its content away.',
    );
  }
  if (config.databaseUrl !== null) await requireEmptyDatabase(config.databaseUrl, deps);
}

/** Throws RestoreRefused if the server database has tables. */
export async function requireEmptyDatabase(url: string, deps: EngineDeps): Promise<void> {
  const settings = { kind: 'server', url, poolMax: 1 } as const;
  await using engine = await openEngine(settings, deps);
  const names = await listRelations(engine.db, 3);
  if (names.length === 0) return;
  throw new RestoreRefused(
    `The server database is not empty (it has ${names.join(', ')}): create a new database.`,
  );
}
