import { generateKey } from '../../kernel/api-key-format.ts';
import type { AppLifetime } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { adminKeyPath, applyStagedAdminKey, stageAdminKey } from './admin-key-file.ts';
import { recordAuditEntry } from './audit.ts';
import { clearKeyCache } from './authenticate.ts';
import type { CreatedAdminKey } from './bootstrap.ts';
import { hashKey } from './model.ts';
import { endSuspension } from './resume.ts';
import { lockAccount, updateAccountRow } from './store/accounts.ts';
import { findOperatorKey, lockKey, updateKey } from './store/keys.ts';

type Deps = Pick<App, 'config' | 'engine' | 'clock' | 'ids' | 'log' | 'disposables'>;

/** The admin key cannot be reset here; the message says what to do. */
export class AdminKeyNotReset extends Error {
  override readonly name = 'AdminKeyNotReset';
}

/**
 * Sets a new secret for the admin key, for callers with access to the data folder or the database
 * instead of a key. The former secret ends here at once, in other processes within 10 s. The file
 * contains the new key before it becomes valid, even if the process ends in between.
 *
 * Throws AdminKeyNotReset if MNEME_ADMIN_KEY sets the key, or if no admin key exists yet.
 */
export async function resetAdminKey(deps: Deps): Promise<CreatedAdminKey> {
  const { config, engine, ids, log } = deps;
  if (config.adminKey !== null) {
    throw new AdminKeyNotReset(
      'MNEME_ADMIN_KEY sets the admin key: change that setting and restart the server.',
    );
  }
  const created = await engine.transaction(async (tx) => {
    const operatorKey = await findOperatorKey(tx);
    const operator = operatorKey && (await lockKey(tx, operatorKey.account_id, operatorKey.id));
    if (!operator) {
      throw new AdminKeyNotReset('The database has no admin key yet: start the server once.');
    }
    const { account_id: accountId, id } = operator;
    const key = generateKey(ids, operator.key_id);
    const set = { secret_hash: hashKey(key), previous_hash: null, previous_until: null };
    await updateKey(tx, accountId, id, set);
    const author = { ...deps, tx, actor: null, requestId: 'reset-admin' };
    const details = { name: operator.name, grace_seconds: 0, reset: true };
    await recordAuditEntry(author, { action: 'key.rotated', accountId, targetId: id, details });
    await liftSuspension(deps, author, accountId);
    const file = await adminKeyPath(tx, config);
    await stageAdminKey(file, key);
    return { key, file };
  });
  clearKeyCache(deps);
  await applyStagedAdminKey(deps);
  log.warn({ file: created.file }, 'admin key reset by `mneme keys reset-admin`');
  return created;
}

/** Keys of a suspended account do not work, so only this command can lift its suspension. */
async function liftSuspension(
  scope: AppLifetime,
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
