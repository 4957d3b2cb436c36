import { grantableScopes } from '@mneme/contract';
import type { App } from '../ctx.ts';
import { newKeyRecord } from './keys.ts';
import { newAccount } from './manage.ts';
import { hashKey, makeKey, readKeyId } from './model.ts';
import { findOperatorKey, insertAccount, insertKey, replaceOperatorKey } from './store.ts';

export class AdminKeyMalformed extends Error {
  constructor() {
    super('MNEME_ADMIN_KEY is not a Mneme key: mnk_<12>_<43>_<6>, the last part a checksum.');
    this.name = 'AdminKeyMalformed';
  }
}

/**
 * Makes the account `default` and its admin key on the first start. Returns the key when it was
 * made now (the only time it is known), else null. A key given by the setting wins over the
 * stored one.
 */
export async function bootstrap(app: App, given: string | null): Promise<string | null> {
  if (given !== null && readKeyId(given) === null) throw new AdminKeyMalformed();
  return app.engine.transaction(async (tx) => {
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
    return given === null ? key : null;
  });
}
