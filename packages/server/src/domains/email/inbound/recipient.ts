import { AppError } from '../../../kernel/errors.ts';
import { accountActor, admitMail } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import { type AddressRecord, findAddress } from '../addresses/store.ts';
import { acceptsMail, splitAddress } from '../model.ts';

/** An address that takes mail now. Throws 404 not_found, also where its account is gone. */
export async function knownRecipient(app: App, address: string): Promise<AddressRecord> {
  const parts = splitAddress(address);
  const found = parts && (await findAddress(app.engine.db, parts));
  if (!found || !acceptsMail(found, app.clock.now())) throw unknownRecipient(address);
  return found;
}

/**
 * Counts a mail toward the limits of its address. Throws 429 rate_limit_exceeded, 503
 * service_unavailable while the account is suspended, 404 not_found where it is gone.
 */
export async function countMail(app: App, { account_id, id }: AddressRecord): Promise<void> {
  const account = await accountActor(app.engine.db, account_id);
  if (!account) throw unknownRecipient(id);
  if (account.suspended) {
    throw new AppError('service_unavailable', { message: 'The account is suspended.' });
  }
  await admitMail(app, account.actor, id);
}

const unknownRecipient = (address: string): AppError =>
  new AppError('not_found', { message: `Nobody takes mail at ${address}.` });
