import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db, Tx } from '../../database/index.ts';
import { databaseIdKey, readInstanceSetting } from '../../instance/instance-settings.ts';
import { parseKeyId } from '../../kernel/api-key-format.ts';
import { adminKeyFileName, readDataFolderOwner } from '../../kernel/data-folder-owner.ts';
import {
  readFileIfExists,
  replacePrivateFile,
  writePrivateFile,
} from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { hashKey, type KeyRecord, keyMatches } from './model.ts';
import { findOperatorKey, lockKey } from './store/keys.ts';

type Deps = Pick<App, 'config' | 'engine' | 'clock' | 'log'>;

/**
 * The file that holds the admin key of this database: `admin-key`, or `admin-key.<database id>`
 * in a folder that belongs to another database.
 */
export async function adminKeyPath(db: Db, { dataDir }: { dataDir: string }): Promise<string> {
  const owner = await readDataFolderOwner(dataDir);
  const id = await readInstanceSetting(db, databaseIdKey);
  const isOwn = owner !== null && owner.databaseId === id;
  return path.join(dataDir, isOwn ? adminKeyFileName : `${adminKeyFileName}.${id}`);
}

/** The content of the file; null if it does not exist. */
const readAdminKeyFile = async (file: string): Promise<string | null> =>
  (await readFileIfExists(file))?.trim() ?? null;

/**
 * Writes a new admin key next to the file, before the transaction that makes it valid commits;
 * `applyStagedAdminKey` then replaces the file. If the process ends in between, one of the two
 * files still holds the valid key. The key's row must be locked.
 */
export async function stageAdminKey(file: string, key: string): Promise<void> {
  const fingerprint = Buffer.from(hashKey(key)).toString('hex').slice(0, 16);
  await writePrivateFile(`${file}.${fingerprint}.next`, `${key}\n`);
}

/** Stages a rotated key if the file of this folder holds its former secret. */
export async function stageRotatedAdminKey(
  { tx, config }: { tx: Tx; config: { dataDir: string } },
  record: KeyRecord,
  key: string,
): Promise<void> {
  const file = await adminKeyPath(tx, config);
  const storedKey = await readAdminKeyFile(file);
  if (storedKey !== null && parseKeyId(storedKey) === record.key_id) await stageAdminKey(file, key);
}

/**
 * Replaces the file with the staged key that matches the database and deletes all other staged
 * keys. Locks the key's row, so that no other process is between staging and committing.
 */
export async function applyStagedAdminKey({ engine, config }: Deps): Promise<void> {
  await engine.transaction(async (tx) => {
    const found = await findOperatorKey(tx);
    const operatorKey = found && (await lockKey(tx, found.account_id, found.id));
    if (!operatorKey) return;
    const file = await adminKeyPath(tx, config);
    const folder = path.dirname(file);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const { name } = entry;
      // Staged keys are regular files: a folder or a link of that name is not ours.
      if (!entry.isFile() || !isStaged(name, path.basename(file))) continue;
      const staged = path.join(folder, name);
      const key = await readAdminKeyFile(staged);
      if (key !== null && isCurrentSecretOf(operatorKey, key))
        await replacePrivateFile(staged, file);
      else await rm(staged, { force: true });
    }
  });
}

/** A staged key, or the temporary file of one that a crash left. */
const isStaged = (name: string, base: string): boolean =>
  name.startsWith(`${base}.`) &&
  /^\.[0-9a-f]{16}\.next(?:\.[0-9a-f]{16}\.new)?$/.test(name.slice(base.length));

const isCurrentSecretOf = ({ secret_hash }: KeyRecord, key: string): boolean =>
  keyMatches({ secret_hash, previous_hash: null, previous_until: null }, hashKey(key), new Date(0));

/** At start-up: completes what a crash interrupted, and warns about a key that is invalid. */
export async function recoverAdminKeyFile(deps: Deps): Promise<void> {
  const { config, engine, log } = deps;
  if (config.adminKey !== null) return;
  await applyStagedAdminKey(deps);
  const operatorKey = await findOperatorKey(engine.db);
  const file = await adminKeyPath(engine.db, config);
  const key = await readAdminKeyFile(file);
  if (!operatorKey || key === null || isCurrentSecretOf(operatorKey, key)) return;
  log.warn({ file }, 'admin key file outdated: run `mneme keys reset-admin` to create a new key');
}
