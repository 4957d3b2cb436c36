import path from 'node:path';
import type { Command } from 'commander';
import { DataFolderInUse, readSchemaState, type SchemaState } from '../database/index.ts';
import {
  AdminKeyNotReset,
  assertOwnDataFolder,
  beforeAccountResume,
  type CreatedAdminKey,
  requestAdminKeyReset,
  resetAdminKey,
} from '../domains/accounts/index.ts';
import { failStaleMail } from '../domains/email/index.ts';
import { failStaleDeliveries } from '../domains/webhooks/index.ts';
import { migrationsFolder, openConfiguredEngine } from '../instance/open-database.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, readConfig } from '../kernel/config.ts';
import { ensureDataFolder } from '../kernel/data-folder.ts';
import { hasEmbeddedDatabase, requireMatchingEngine } from '../kernel/data-folder-owner.ts';
import { createIds } from '../kernel/ids.ts';
import { createLog, type Log } from '../kernel/log.ts';
import { readFileIfExists } from '../kernel/private-file.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server reset-admin`: `mneme keys reset-admin` runs this command. */
export function registerResetAdminCommand(program: Command, { env, print, warn }: Terminal): void {
  program
    .command('reset-admin')
    .description('replace the admin key without a key')
    .option('--json', 'print the key and its file as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { config, warnings } = readConfig(env);
      for (const warning of warnings) warn(`mneme: ${warning}`);
      const log = createLog('error', { write: (line) => warn(line.trimEnd()) });
      const created = await resetAdmin(config, log);
      print(json ? JSON.stringify(created) : describe(created));
    });
}

const describe = ({ key, file }: CreatedAdminKey): string =>
  `The admin key was replaced. The previous key is revoked; other server processes may accept it
for up to 10 s. The new key is stored in ${file}:

  ${key}`;

/**
 * Replaces the admin key for a user with access to the machine: directly in the database, or
 * through the server that has the embedded database open. Does not migrate the database.
 *
 * Throws AdminKeyNotReset, DataFolderForeign, DatabaseTooNew, and what opening the database throws.
 */
async function resetAdmin(config: Config, log: Log): Promise<CreatedAdminKey> {
  const { dataDir, databaseUrl } = config;
  const clock = systemClock;
  const ids = createIds(clock);
  await requireMatchingEngine(config);
  if (databaseUrl === null && !hasEmbeddedDatabase(dataDir)) {
    throw new AdminKeyNotReset(
      `${dataDir} contains no database: set MNEME_DATA_DIR to the data folder of the server, or ` +
        'MNEME_DATABASE_URL to its database.',
    );
  }
  await ensureDataFolder(dataDir);
  await using opening = new AsyncDisposableStack();
  try {
    const engine = opening.use(await openConfiguredEngine(config, log, ids));
    const disposables = opening.use(new AsyncDisposableStack());
    const parts = { config, engine, clock, ids, log, disposables };
    await assertOwnDataFolder(parts);
    requireUpgraded(await readSchemaState(engine, migrationsFolder));
    beforeAccountResume.on(parts, failStaleDeliveries);
    beforeAccountResume.on(parts, failStaleMail);
    return await resetAdminKey(parts);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    const id = Buffer.from(ids.bytes(16)).toString('hex');
    const file = await requestAdminKeyReset(dataDir, { clock, id });
    return { file, key: await readAdminKey(path.join(dataDir, path.basename(file))) };
  }
}

/** The command does not migrate, and its statements need the columns of this version. */
function requireUpgraded({ version, newest }: SchemaState): void {
  if (version === newest) return;
  throw new AdminKeyNotReset(
    `The database has schema version ${version}, but this version of Mneme requires ${newest}: ` +
      'start the server once, which upgrades the database, then run the command again.',
  );
}

/** `file` is a path of this process: the path of a server in a container may differ. */
async function readAdminKey(file: string): Promise<string> {
  const key = (await readFileIfExists(file))?.trim();
  if (key) return key;
  throw new AdminKeyNotReset(`The admin key was replaced, but this user cannot read ${file}.`);
}
