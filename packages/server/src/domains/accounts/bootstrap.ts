import { type AuditAction, grantableScopes } from '@mneme/contract';
import { advisoryLock, type Tx } from '../../database/index.ts';
import { generateKey, parseKeyId } from '../../kernel/api-key-format.ts';
import { DataFolderUnusable } from '../../kernel/data-folder.ts';
import { readOrCreatePrivateFile } from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { adminKeyPath, recoverAdminKeyFile } from './admin-key-file.ts';
import { recordAuditEntry } from './audit.ts';
import { buildKeyRecord } from './keys.ts';
import { buildAccount } from './manage.ts';
import { hashKey, type KeyRecord } from './model.ts';
import { insertAccount } from './store/accounts.ts';
import { findOperatorKey, insertKey, replaceOperatorKey } from './store/keys.ts';
import { chargeResourceQuota } from './usage.ts';

/** The new admin key and the file that holds it. */
export interface CreatedAdminKey {
  readonly key: string;
  readonly file: string;
}

/**
 * Creates the account `default` and its admin key on the first start; returns the key if it was
 * created now, else null. A key from the setting replaces the stored one and is not written to
 * the data folder. Throws DataFolderUnusable.
 */
export async function bootstrap(
  app: App,
  configuredKey: string | null,
): Promise<CreatedAdminKey | null> {
  const created = await makeFirstAccount(app, configuredKey);
  if (created === null) await recoverAdminKeyFile(app);
  return created;
}

const makeFirstAccount = (
  app: App,
  configuredKey: string | null,
): Promise<CreatedAdminKey | null> =>
  app.engine.transaction(async (tx) => {
    // The second of two first starts on one database finds the account.
    await advisoryLock(tx, 'first start');
    const existing = await findOperatorKey(tx);
    if (existing) {
      if (configuredKey !== null) await setOperatorKey(app, tx, existing, configuredKey);
      return null;
    }
    const account = buildAccount(app, 'default', 'enterprise');
    await insertAccount(tx, account);
    const file = await adminKeyPath(tx, app.config);
    const key = configuredKey ?? (await readOrWriteKey(file, generateKey(app.ids)));
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
    await recordBootstrap(app, tx, record);
    if (configuredKey !== null) return null;
    return { key, file };
  });

/**
 * Writes the key before the commit, so that a crash never leaves an unknown key in the database.
 * The next start uses the key in the file: an existing file is never overwritten.
 */
async function readOrWriteKey(file: string, generated: string): Promise<string> {
  const key = (await readOrCreatePrivateFile(file, `${generated}\n`)).trim();
  if (parseKeyId(key) !== null) return key;
  throw new DataFolderUnusable(`${file} does not contain an admin key: move the file away.`);
}

async function setOperatorKey(
  app: App,
  tx: Tx,
  existing: KeyRecord,
  configuredKey: string,
): Promise<void> {
  const secretHash = hashKey(configuredKey);
  if (Buffer.from(existing.secret_hash).equals(secretHash)) return;
  const keyId = parseKeyId(configuredKey) ?? '';
  await replaceOperatorKey(tx, { ...existing, key_id: keyId, secret_hash: secretHash });
  await recordAuditEntry(
    { ...app, tx, actor: null, requestId: 'start' },
    {
      action: 'key.rotated',
      accountId: existing.account_id,
      targetId: existing.id,
      details: { name: existing.name, grace_seconds: 0 },
    },
  );
}

async function recordBootstrap(
  app: App,
  tx: Tx,
  { account_id, id, name }: KeyRecord,
): Promise<void> {
  const author = { ...app, tx, actor: null, requestId: 'start' };
  const [account, key] = [{ name: 'default', plan: 'enterprise' }, { name }];
  const change = (action: AuditAction, targetId: string, details: Record<string, unknown>) =>
    recordAuditEntry(author, { action, accountId: account_id, targetId, details });
  await change('account.created', account_id, account);
  await change('key.created', id, key);
}
