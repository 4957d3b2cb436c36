import path from 'node:path';
import { type AuditAction, grantableScopes } from '@mneme/contract';
import type { Tx } from '../../engine/index.ts';
import { writePrivateFile } from '../../kernel/private-file.ts';
import { deriveKey } from '../../kernel/sealed.ts';
import { keepFirst } from '../../work/installation.ts';
import type { App } from '../ctx.ts';
import { recordChange } from './audit.ts';
import { newKeyRecord } from './keys.ts';
import { newAccount } from './manage.ts';
import { hashKey, type KeyRecord, makeKey, readKeyId } from './model.ts';
import { insertAccount, lockAccountTable } from './store/accounts.ts';
import { findOperatorKey, insertKey, replaceOperatorKey } from './store/keys.ts';
import { chargeHeld } from './usage.ts';

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
    await lockAccountTable(tx);
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
    const record = newKeyRecord(app, account.id, key, fields);
    const subscriber = { accountId: account.id, plan: 'enterprise' } as const;
    await chargeHeld({ tx }, subscriber, 'api_keys', 1);
    await insertKey(tx, record);
    await recordStart(app, tx, record);
    if (given !== null) return null;
    const file = path.join(app.config.dataDir, 'admin-key');
    await writePrivateFile(file, `${key}\n`);
    return { key, file };
  });
}

async function recordStart(app: App, tx: Tx, { account_id, id, name }: KeyRecord): Promise<void> {
  const author = { ...app, tx, actor: null, requestId: 'start' };
  const [account, key] = [{ name: 'default', plan: 'enterprise' }, { name }];
  const change = (action: AuditAction, targetId: string, details: Record<string, unknown>) =>
    recordChange(author, { action, accountId: account_id, targetId, details });
  await change('account.created', account_id, account);
  await change('key.created', id, key);
}

/** Derived from the secret key, so that another one shows, and telling nothing of it. */
const checkOf = (secretKey: string): string =>
  Buffer.from(deriveKey(secretKey, 'check')).toString('base64');

/**
 * The database remembers a check of the first secret key. With another one, what was encrypted
 * before cannot be read, and tokens of one process are strange to the next: worth a warning.
 */
export async function warnOfOtherSecret(app: App): Promise<void> {
  const check = checkOf(app.secretKey);
  if ((await keepFirst(app.engine.db, 'secret_key_check', check)) === check) return;
  app.log.warn(
    'The secret key is not the one that this database began with: set MNEME_SECRET_KEY to the ' +
      "content of the first data folder's file secret-key. Until then session tokens of other " +
      'processes, and secrets stored by them, cannot be read here.',
  );
}
