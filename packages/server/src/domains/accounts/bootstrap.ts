import { type AuditAction, grantableScopes } from '@mneme/contract';
import type { Tx } from '../../database/index.ts';
import { DataFolderUnusable } from '../../kernel/data-folder.ts';
import { readOrCreatePrivateFile } from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { adminKeyPath, recoverAdminKeyFile } from './admin-key-file.ts';
import { recordAuditEntry } from './audit.ts';
import { buildKeyRecord } from './keys.ts';
import { buildAccount } from './manage.ts';
import { generateKey, hashKey, type KeyRecord, parseKeyId } from './model.ts';
import { insertAccount, lockAccountTable } from './store/accounts.ts';
import { findOperatorKey, insertKey, replaceOperatorKey } from './store/keys.ts';
import { chargeResourceQuota } from './usage.ts';

export class AdminKeyMalformed extends Error {
  constructor() {
    super('MNEME_ADMIN_KEY is not a Mneme key: mnk_<12>_<43>_<6>, the last part a checksum.');
    this.name = 'AdminKeyMalformed';
  }
}

/** The admin key as it was made, and the file that keeps it. */
export interface CreatedAdminKey {
  readonly key: string;
  readonly file: string;
}

/**
 * Makes the account `default` and its admin key on the first start; the key is returned when it
 * was made now, else null. A key given by the setting wins over the stored one, and nothing is
 * written to the data folder. Throws AdminKeyMalformed, DataFolderUnusable.
 */
export async function bootstrap(app: App, given: string | null): Promise<CreatedAdminKey | null> {
  if (given !== null && parseKeyId(given) === null) throw new AdminKeyMalformed();
  const made = await makeFirstAccount(app, given);
  if (made === null) await recoverAdminKeyFile(app);
  return made;
}

const makeFirstAccount = (app: App, given: string | null): Promise<CreatedAdminKey | null> =>
  app.engine.transaction(async (tx) => {
    await lockAccountTable(tx);
    const present = await findOperatorKey(tx);
    if (present) {
      if (given !== null) await setOperatorKey(app, tx, present, given);
      return null;
    }
    const account = buildAccount(app, 'default', 'enterprise');
    await insertAccount(tx, account);
    const file = await adminKeyPath(tx, app.config);
    const key = given ?? (await readOrWriteKey(file, generateKey(app.ids)));
    const fields = {
      name: 'admin',
      scopes: [...grantableScopes, 'operator'] as const,
      space_ids: null,
      expires_at: null,
    };
    const record = buildKeyRecord(app, account.id, key, fields);
    const subscriber = { accountId: account.id, plan: 'enterprise' } as const;
    await chargeResourceQuota({ tx }, subscriber, 'api_keys', 1);
    await insertKey(tx, record);
    await recordStart(app, tx, record);
    if (given !== null) return null;
    return { key, file };
  });

/**
 * Written before the commit, so that a crash never leaves a key that nobody knows. The start after
 * such a crash takes the key that is in the file: a file that is there is never written over.
 */
async function readOrWriteKey(file: string, made: string): Promise<string> {
  const key = (await readOrCreatePrivateFile(file, `${made}\n`)).trim();
  if (parseKeyId(key) !== null) return key;
  throw new DataFolderUnusable(`${file} does not hold an admin key: move the file away.`);
}

async function setOperatorKey(app: App, tx: Tx, present: KeyRecord, given: string): Promise<void> {
  const secretHash = hashKey(given);
  if (Buffer.from(present.secret_hash).equals(secretHash)) return;
  const keyId = parseKeyId(given) ?? '';
  await replaceOperatorKey(tx, { ...present, key_id: keyId, secret_hash: secretHash });
  await recordAuditEntry(
    { ...app, tx, actor: null, requestId: 'start' },
    {
      action: 'key.rotated',
      accountId: present.account_id,
      targetId: present.id,
      details: { name: present.name, grace_seconds: 0 },
    },
  );
}

async function recordStart(app: App, tx: Tx, { account_id, id, name }: KeyRecord): Promise<void> {
  const author = { ...app, tx, actor: null, requestId: 'start' };
  const [account, key] = [{ name: 'default', plan: 'enterprise' }, { name }];
  const change = (action: AuditAction, targetId: string, details: Record<string, unknown>) =>
    recordAuditEntry(author, { action, accountId: account_id, targetId, details });
  await change('account.created', account_id, account);
  await change('key.created', id, key);
}
