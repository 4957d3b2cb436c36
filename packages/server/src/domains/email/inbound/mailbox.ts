import { AppError } from '../../../kernel/errors.ts';
import { enforceMailRateLimits, findAccountActor } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import { findAddress } from '../addresses/store.ts';
import { acceptsMail, splitAddress } from '../model.ts';
import { findOutbound } from '../outbound/store.ts';
import { parseSignedAddress, type SignedAddress } from '../signed-addresses.ts';

/** Where a mail arrives, and what it is for. */
export interface Mailbox {
  readonly accountId: string;
  /** Mails are counted by it. */
  readonly id: string;
  readonly address: string;
  /** A bounce or an unsubscribe never becomes a memory or a command. */
  readonly purpose: 'memory' | SignedAddress['purpose'];
  /** Of a bounce: the mail that came back. */
  readonly outboundId: string | null;
}

/**
 * An address that takes mail now. A return path takes bounces alone, which have no sender.
 * Throws 404 not_found, also where its account is gone.
 * @param envelopeSender null: not known
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
  const found = await findAddress(app.engine.db, parts);
  if (!found || !acceptsMail(found, app.clock.now())) throw unknownRecipientError(address);
  return {
    accountId: found.account_id,
    id: found.id,
    address: `${found.local_part}@${found.domain}`,
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
  const plain = address.toLowerCase();
  if (signed.purpose === 'unsubscribe') {
    const { purpose, accountId, recipientTag } = signed;
    return { accountId, id: recipientTag, address: plain, purpose, outboundId: null };
  }
  const { purpose, outboundId } = signed;
  const mail = await findOutbound(app.engine.db, outboundId);
  // Once it has come back nothing more is to be known of it.
  if (!mail || mail.status === 'bounced') throw unknownRecipientError(address);
  if (envelopeSender !== null && envelopeSender !== '') {
    const message = 'This address takes delivery status notifications, which have no sender.';
    throw new AppError('not_found', { message });
  }
  return { accountId: mail.account_id, id: outboundId, address: plain, purpose, outboundId };
}

/**
 * Counts a mail toward the limits of its address. Throws 429 rate_limit_exceeded, 503
 * service_unavailable while the account is suspended, 404 not_found where it is gone.
 */
export async function countInboundMail(
  app: App,
  { accountId, id, address, purpose }: Mailbox,
): Promise<void> {
  const account = await findAccountActor(app.engine.db, accountId);
  if (!account) throw unknownRecipientError(address);
  if (account.suspended) {
    throw new AppError('service_unavailable', { message: 'The account is suspended.' });
  }
  const { plan, settings } = account.actor;
  // Everybody who was written to knows a signed address: it has limits on every plan.
  await enforceMailRateLimits(app, { plan: purpose === 'memory' ? plan : 'free', settings }, id);
}

const unknownRecipientError = (address: string): AppError =>
  new AppError('not_found', { message: `Nobody takes mail at ${address}.` });
