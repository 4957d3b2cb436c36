import type { AppScope } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { adminKeyPath, applyStagedAdminKey, stageAdminKey } from './admin-key-file.ts';
import { recordAuditEntry } from './audit.ts';
import { clearKeyCache } from './authenticate.ts';
import type { CreatedAdminKey } from './bootstrap.ts';
import { generateKey, hashKey } from './model.ts';
import { endSuspension } from './resume.ts';
import { lockAccount, updateAccountRow } from './store/accounts.ts';
import { findOperatorKey, lockKey, updateKey } from './store/keys.ts';

type Parts = Pick<App, 'config' | 'engine' | 'clock' | 'ids' | 'log' | 'disposables'>;

/** The admin key cannot be replaced here; the message says what to do. */
export class AdminKeyNotReset extends Error {
  override readonly name = 'AdminKeyNotReset';
}

/**
 * Gives the admin key a new secret, for whoever can read the data folder or the database instead
 * of presenting a key. The former secret ends: here at once, in other processes within 10 s. The
 * file holds the new key before it becomes valid, whenever the process ends.
 *
 * Throws AdminKeyNotReset where MNEME_ADMIN_KEY sets the key, or no start has made one.
 */
export async function resetAdminKey(parts: Parts): Promise<CreatedAdminKey> {
  const { config, engine, ids, log } = parts;
  if (config.adminKey !== null) {
    throw new AdminKeyNotReset(
      'MNEME_ADMIN_KEY sets the admin key: change that setting and restart the server.',
    );
  }
  const made = await engine.transaction(async (tx) => {
    const found = await findOperatorKey(tx);
    const operator = found && (await lockKey(tx, found.account_id, found.id));
    if (!operator) {
      throw new AdminKeyNotReset('The database has no admin key yet: start the server once.');
    }
    const { account_id: accountId, id } = operator;
    const key = generateKey(ids, operator.key_id);
    const set = { secret_hash: hashKey(key), previous_hash: null, previous_until: null };
    await updateKey(tx, accountId, id, set);
    const author = { ...parts, tx, actor: null, requestId: 'reset-admin' };
    const details = { name: operator.name, grace_seconds: 0, reset: true };
    await recordAuditEntry(author, { action: 'key.rotated', accountId, targetId: id, details });
    await liftSuspension(parts, author, accountId);
    const file = await adminKeyPath(tx, config);
    await stageAdminKey(file, key);
    return { key, file };
  });
  clearKeyCache(parts);
  await applyStagedAdminKey(parts);
  log.warn({ file: made.file }, 'the admin key was replaced by mneme keys reset-admin');
  return made;
}

/** No key of a suspended account works, and nobody else could lift it. */
async function liftSuspension(
  scope: AppScope,
  author: Parameters<typeof recordAuditEntry>[0],
  accountId: string,
): Promise<void> {
  const account = await lockAccount(author.tx, accountId);
  if (!account?.suspended) return;
  const now = author.clock.now();
  const set = await endSuspension(scope, author.tx, { accountId, now });
  await updateAccountRow(author.tx, accountId, { ...set, updated_at: now });
  const details = { suspended: false };
  await recordAuditEntry(author, {
    action: 'account.updated',
    accountId,
    targetId: accountId,
    details,
  });
}
