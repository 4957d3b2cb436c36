import type { FieldError } from '@mneme/contract';
import type { Db } from '../../database/index.ts';
import { fieldError } from '../../kernel/errors.ts';
import { lockAccountForShare } from '../accounts/index.ts';
import type { App, TxCtx } from '../ctx.ts';
import { findAddress } from './addresses/store.ts';
import { splitAddress } from './model.ts';
import { isServiceAddress } from './signed-addresses.ts';

/** Those that are named, each once, or the account's contact; nobody where the account is gone. */
export async function resolveRecipients(
  { tx, actor, config }: TxCtx,
  named: readonly string[],
): Promise<string[]> {
  const account = await lockAccountForShare(tx, actor.accountId);
  if (!account) return [];
  if (named.length > 0)
    return named.filter((one, i) => named.findIndex(equalsIgnoringCase(one)) === i);
  return [account.contact_email ?? config.contactEmail];
}

const equalsIgnoringCase = (one: string) => (other: string) =>
  one.toLowerCase() === other.toLowerCase();

const ownAddressFieldError: FieldError = {
  code: 'invalid_format',
  message: 'must not be an address of this service, which would write to itself',
};

/** Throws 400 bad_request where mail would come back in. */
export async function requireExternalRecipients(
  inTx: TxCtx,
  named: readonly string[],
): Promise<void> {
  for (const [i, recipient] of named.entries()) {
    if (await isOwnAddress(inTx, inTx.tx, recipient))
      throw fieldError(`recipients.${i}`, ownAddressFieldError);
  }
}

/** Whether mail to it comes back in: an account's address, or one of the service itself. */
export async function isOwnAddress(app: App, db: Db, address: string): Promise<boolean> {
  const parts = splitAddress(address);
  if (parts === null) return false;
  return isServiceAddress(app, parts) || (await findAddress(db, parts)) !== undefined;
}
