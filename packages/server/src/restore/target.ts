import { readdir } from 'node:fs/promises';
import { type EngineDeps, listRelations, openEngine } from '../database/index.ts';
import type { Config } from '../kernel/config.ts';
import { RestoreRefused } from './errors.ts';

/** What may be in a data folder that is restored into. */
const allowed = new Set([
  'backups',
  'erasures.ndjson',
  'lost+found',
  'restore-in-progress.json',
  'restore.lock',
  'restore.lock-journal',
  'secret-key',
]);

/** Backups, and ledgers of erasures that were set aside. */
const allowedForms = [/\.backup$/, /^erasures\..+\.ndjson$/];

/** Throws RestoreRefused where the data folder or the server database is in use. */
export async function requireEmptyTarget(config: Config, deps: EngineDeps): Promise<void> {
  const found = (await readdir(config.dataDir)).filter(
    (name) => !allowed.has(name) && !allowedForms.some((form) => form.test(name)),
  );
  if (found.length > 0) {
    throw new RestoreRefused(
      `The data folder ${config.dataDir} is not empty (it has ${found.slice(0, 3).join(', ')}): ` +
        'choose an empty folder with MNEME_DATA_DIR, or move its content away.',
    );
  }
  if (config.databaseUrl !== null) await requireEmptyDatabase(config.databaseUrl, deps);
}

/** Throws RestoreRefused where a server database has tables already. */
export async function requireEmptyDatabase(url: string, deps: EngineDeps): Promise<void> {
  const settings = { kind: 'server', url, poolMax: 1 } as const;
  await using engine = await openEngine(settings, deps);
  const names = await listRelations(engine.db, 3);
  if (names.length === 0) return;
  throw new RestoreRefused(
    `The server database is not empty (it has ${names.join(', ')}): create a new database.`,
  );
}
