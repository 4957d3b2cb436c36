import { AppError } from '../../../kernel/errors.ts';
import { enforceMailRateLimits, findAccountActor } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import { findAddress } from '../addresses/store/addresses.ts';
import { acceptsMail, splitAddress } from '../model.ts';
import { findOutbound } from '../outbound/store/outbound-mails.ts';
import { parseSignedAddress, type SignedAddress } from '../signed-addresses.ts';

/** The recipient of a mail and the purpose of its address. */
export interface Mailbox {
  readonly accountId: string;
  /** The key for rate limits. */
  readonly id: string;
  readonly address: string;
  /** A bounce or an unsubscribe never becomes a memory or a command. */
  readonly purpose: 'memory' | SignedAddress['purpose'];
  /** For a bounce: the bounced mail. */
  readonly outboundId: string | null;
}

/**
 * Resolves an address that accepts mail. A return path accepts only bounces, which have no sender.
 * Throws 404 not_found.
 * @param envelopeSender null if unknown
 */
export async function resolveMailbox(
  app: App,
  address: string,
  envelopeSender: string | null,
): Promise<Mailbox> {
  const parts = splitAddress(address);
  if (!parts) throw unknownRecipientError(address);
  const signed = parseSignedAddress(app, parts.localPart, app.clock.now());
  if (signed) return resolveSignedMailbox(app, address, signed, envelopeSender);
  const row = await findAddress(app.engine.db, parts);
  if (!row || !acceptsMail(row, app.clock.now())) throw unknownRecipientError(address);
  return {
    accountId: row.account_id,
    id: row.id,
    address: `${row.local_part}@${row.domain}`,
    purpose: 'memory',
    outboundId: null,
  };
}

async function resolveSignedMailbox(
  app: App,
  address: string,
  signed: SignedAddress,
  envelopeSender: string | null,
): Promise<Mailbox> {
  const lowerCased = address.toLowerCase();
  if (signed.purpose === 'unsubscribe') {
    const { purpose, accountId, recipientTag } = signed;
    return { accountId, id: recipientTag, address: lowerCased, purpose, outboundId: null };
  }
  const { purpose, outboundId } = signed;
  const mail = await findOutbound(app.engine.db, outboundId);
  // A second bounce has no effect.
  if (!mail || mail.status === 'bounced') throw unknownRecipientError(address);
  if (envelopeSender !== null && envelopeSender !== '') {
    const message =
      'This address accepts only delivery status notifications, which have no sender.';
    throw new AppError('not_found', { message });
  }
  return { accountId: mail.account_id, id: outboundId, address: lowerCased, purpose, outboundId };
}

/**
 * Counts a mail toward the rate limits of its address. Throws 429 rate_limit_exceeded, 503
 * service_unavailable while the account is suspended, 404 not_found if it is deleted.
 */
export async function enforceMailboxRateLimits(
  app: App,
  { accountId, id, address, purpose }: Mailbox,
): Promise<void> {
  const account = await findAccountActor(app.engine.db, accountId);
  if (!account) throw unknownRecipientError(address);
  if (account.suspended) {
    throw new AppError('service_unavailable', { message: 'The account is suspended.' });
  }
  const { plan, settings } = account.actor;
  // All recipients know signed addresses, so these have the limits of the free plan.
  await enforceMailRateLimits(app, { plan: purpose === 'memory' ? plan : 'free', settings }, id);
}

const unknownRecipientError = (address: string): AppError =>
  new AppError('not_found', { message: `The address ${address} accepts no mail.` });
