import type { Plan } from '@mneme/contract';
import type { Db } from '../../database/index.ts';
import type { Actor } from '../ctx.ts';
import { withDefaultSettings } from './model.ts';
import { findAccount } from './store/accounts.ts';

/** An actor that acts for an account without a key, within its plan. */
interface AccountActor {
  readonly actor: Actor;
  readonly suspended: boolean;
}

/** Null if the account does not exist or is deleted. */
export async function findAccountActor(db: Db, id: string): Promise<AccountActor | null> {
  const account = await findAccount(db, id);
  if (!account) return null;
  return {
    suspended: account.suspended,
    actor: {
      accountId: account.id,
      plan: account.plan as Plan,
      settings: withDefaultSettings(account.settings),
      keyId: null,
      scopes: new Set(['admin']),
      spaces: null,
      user: null,
    },
  };
}
