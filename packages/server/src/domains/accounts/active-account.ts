import type { Db } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { findAccount } from './store/accounts.ts';

/**
 * Checks the account behind a signed link. Throws 404 not_found if the account is deleted, 403
 * insufficient_permissions while it is suspended.
 */
export async function requireActiveAccount(db: Db, accountId: string): Promise<void> {
  const account = await findAccount(db, accountId);
  if (!account) throw new AppError('not_found');
  if (account.suspended) throw accountSuspendedError();
}

export const accountSuspendedError = (): AppError =>
  new AppError('insufficient_permissions', { message: 'The account is suspended.' });
