import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db, Tx } from '../../database/index.ts';
import { databaseIdKey, readInstanceSetting } from '../../instance/instance-settings.ts';
import { adminKeyFileName, readFolderOwner } from '../../kernel/folder-owner.ts';
import {
  readFileIfExists,
  replacePrivateFile,
  writePrivateFile,
} from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { hashKey, type KeyRecord, keyMatches, parseKeyId } from './model.ts';
import { findOperatorKey, lockKey } from './store/keys.ts';

type Parts = Pick<App, 'config' | 'engine' | 'clock' | 'log'>;

/**
 * The file that keeps the admin key of this database: `admin-key`, or `admin-key.<database id>`
 * in a folder that belongs to another database.
 */
export async function adminKeyPath(db: Db, { dataDir }: { dataDir: string }): Promise<string> {
  const owner = await readFolderOwner(dataDir);
  const id = await readInstanceSetting(db, databaseIdKey);
  const isOwn = owner !== null && owner.databaseId === id;
  return path.join(dataDir, isOwn ? adminKeyFileName : `${adminKeyFileName}.${id}`);
}

/** What the file holds; null where there is none. */
const readAdminKeyFile = async (file: string): Promise<string | null> =>
  (await readFileIfExists(file))?.trim() ?? null;

/**
 * Writes a new admin key beside the file, before the transaction commits that makes it valid:
 * `settleAdminKeyFile` puts it in place afterwards. Whenever the process ends, one of the two
 * files holds the key that is valid. To be called with the key's row locked.
 */
export async function stageAdminKey(file: string, key: string): Promise<void> {
  const mark = Buffer.from(hashKey(key)).toString('hex').slice(0, 16);
  await writePrivateFile(`${file}.${mark}.next`, `${key}\n`);
}

/** Stages a rotated key where the file of this folder holds its former secret. */
export async function stageRotatedKey(
  { tx, config }: { tx: Tx; config: { dataDir: string } },
  record: KeyRecord,
  key: string,
): Promise<void> {
  const file = await adminKeyPath(tx, config);
  const former = await readAdminKeyFile(file);
  if (former !== null && parseKeyId(former) === record.key_id) await stageAdminKey(file, key);
}

/**
 * Puts the staged key that the database has into the file and removes every other staged one.
 * The key's row is locked meanwhile, so that no other process is between staging and committing.
 */
export async function applyStagedAdminKey({ engine, config }: Parts): Promise<void> {
  await engine.transaction(async (tx) => {
    const found = await findOperatorKey(tx);
    const operator = found && (await lockKey(tx, found.account_id, found.id));
    if (!operator) return;
    const file = await adminKeyPath(tx, config);
    const folder = path.dirname(file);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const { name } = entry;
      // What we staged is a file: a folder or a link of that name is somebody else's.
      if (!entry.isFile() || !isStaged(name, path.basename(file))) continue;
      const staged = path.join(folder, name);
      const key = await readAdminKeyFile(staged);
      if (key !== null && isCurrentSecretOf(operator, key)) await replacePrivateFile(staged, file);
      else await rm(staged, { force: true });
    }
  });
}

/** A staged key, or the draft of one that a crash left. */
const isStaged = (name: string, base: string): boolean =>
  name.startsWith(`${base}.`) &&
  /^\.[0-9a-f]{16}\.next(?:\.[0-9a-f]{16}\.new)?$/.test(name.slice(base.length));

const isCurrentSecretOf = ({ secret_hash }: KeyRecord, key: string): boolean =>
  keyMatches({ secret_hash, previous_hash: null, previous_until: null }, hashKey(key), new Date(0));

/** After a start: finishes what a crash interrupted, and reports a file whose key has ended. */
export async function recoverAdminKeyFile(parts: Parts): Promise<void> {
  const { config, engine, log } = parts;
  if (config.adminKey !== null) return;
  await applyStagedAdminKey(parts);
  const operator = await findOperatorKey(engine.db);
  const file = await adminKeyPath(engine.db, config);
  const key = await readAdminKeyFile(file);
  if (!operator || key === null || isCurrentSecretOf(operator, key)) return;
  log.warn(
    { file },
    'the admin key in this file is no longer valid: `mneme keys reset-admin` makes another one',
  );
}
