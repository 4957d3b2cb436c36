import type { FieldError } from '@mneme/contract';
import type { Db } from '../../database/index.ts';
import { fieldError } from '../../kernel/errors.ts';
import { lockAccountForShare } from '../accounts/index.ts';
import type { App, TxCtx } from '../ctx.ts';
import { findAddress } from './addresses/store/addresses.ts';
import { splitAddress } from './model.ts';
import { isServiceAddress } from './signed-addresses.ts';

/** The named recipients without duplicates, or the account's contact; empty if it is deleted. */
export async function resolveRecipients(
  { tx, actor, config }: TxCtx,
  named: readonly string[],
): Promise<string[]> {
  const account = await lockAccountForShare(tx, actor.accountId);
  if (!account) return [];
  if (named.length > 0)
    return named.filter((address, i) => named.findIndex(equalsIgnoringCase(address)) === i);
  return [account.contact_email ?? config.contactEmail];
}

const equalsIgnoringCase = (address: string) => (other: string) =>
  address.toLowerCase() === other.toLowerCase();

const ownAddressFieldError: FieldError = {
  code: 'invalid_format',
  message: 'must not be an address of this service, which would create a mail loop',
};

/** Throws 400 bad_request if a recipient is an address of this service. */
export async function requireExternalRecipients(
  inTx: TxCtx,
  named: readonly string[],
): Promise<void> {
  for (const [i, recipient] of named.entries()) {
    if (await isLocalMailAddress(inTx, inTx.tx, recipient))
      throw fieldError(`recipients.${i}`, ownAddressFieldError);
  }
}

/** Whether the service itself receives mail to the address, which would be a loop. */
export async function isLocalMailAddress(app: App, db: Db, address: string): Promise<boolean> {
  const parts = splitAddress(address);
  if (parts === null) return false;
  return isServiceAddress(app, parts) || (await findAddress(db, parts)) !== undefined;
}
