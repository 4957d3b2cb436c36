import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { grantableScopes } from '@mneme/contract';
import type { App } from '../ctx.ts';
import { newKeyRecord } from './keys.ts';
import { newAccount } from './manage.ts';
import { hashKey, makeKey, readKeyId } from './model.ts';
import {
  findOperatorKey,
  insertAccount,
  insertKey,
  lockAccounts,
  replaceOperatorKey,
} from './store.ts';

export class AdminKeyMalformed extends Error {
  constructor() {
    super('MNEME_ADMIN_KEY is not a Mneme key: mnk_<12>_<43>_<6>, the last part a checksum.');
    this.name = 'AdminKeyMalformed';
  }
}

/** The admin key as it was made, and the file that keeps it. */
export interface FirstKey {
  readonly key: string;
  readonly file: string;
}

/**
 * Makes the account `default` and its admin key on the first start; the key is returned when it
 * was made now, else null. A key given by the setting wins over the stored one. The file is
 * written before the commit: a crash in between leaves a file too many, never a key unknown.
 */
export async function bootstrap(app: App, given: string | null): Promise<FirstKey | null> {
  if (given !== null && readKeyId(given) === null) throw new AdminKeyMalformed();
  return app.engine.transaction(async (tx) => {
    await lockAccounts(tx);
    const present = await findOperatorKey(tx);
    if (present) {
      if (given !== null) {
        const keyId = readKeyId(given) ?? '';
        await replaceOperatorKey(tx, { ...present, key_id: keyId, secret_hash: hashKey(given) });
      }
      return null;
    }
    const account = newAccount(app, 'default', 'enterprise');
    await insertAccount(tx, account);
    const key = given ?? makeKey(app.ids);
    const fields = {
      name: 'admin',
      scopes: [...grantableScopes, 'operator'] as const,
      space_ids: null,
      expires_at: null,
    };
    await insertKey(tx, newKeyRecord(app, account.id, key, fields));
    if (given !== null) return null;
    return { key, file: await keepKey(app.config.dataDir, key) };
  });
}

/** Readable by its owner alone; the database has only the hash. */
async function keepKey(dataDir: string, key: string): Promise<string> {
  const file = path.join(dataDir, 'admin-key');
  const draft = await open(`${file}.new`, 'w', 0o600);
  try {
    await draft.writeFile(`${key}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.new`, file);
  return file;
}
