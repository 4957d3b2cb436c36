import type { FieldFault } from '@mneme/contract';
import { fieldError } from '../../kernel/errors.ts';
import { holdAccount } from '../accounts/index.ts';
import type { TxCtx } from '../ctx.ts';
import { findAddress } from './addresses/store.ts';
import { splitAddress } from './model.ts';

/** Those that are named, each once, or the account's contact; nobody where the account is gone. */
export async function recipientsOf(
  { tx, actor, config }: TxCtx,
  named: readonly string[],
): Promise<string[]> {
  const account = await holdAccount(tx, actor.accountId);
  if (!account) return [];
  if (named.length > 0) return named.filter((one, i) => named.findIndex(sameAs(one)) === i);
  return [account.contact_email ?? config.contactEmail];
}

const sameAs = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();

const fault: FieldFault = {
  code: 'invalid_format',
  message: 'must not be an address of this service, which would write to itself',
};

/** Throws 400 bad_request where mail would come back in. */
export async function requireOutside({ tx }: TxCtx, named: readonly string[]): Promise<void> {
  for (const [i, recipient] of named.entries()) {
    const parts = splitAddress(recipient);
    if (parts && (await findAddress(tx, parts))) throw fieldError(`recipients.${i}`, fault);
  }
}
