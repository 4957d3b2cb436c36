import type { MailAuthentication, Owner } from '@mneme/contract';
import { authenticateMail, canonicalAddress } from '../../../providers/mail/index.ts';
import type { Ctx } from '../../ctx.ts';
import { combineOwners } from '../owner.ts';
import { evaluateSender } from '../senders/model.ts';
import { findSenderRules } from '../senders/store/sender-rules.ts';
import { type InboundMailRecord, requireRawBlob } from './store/mails.ts';

export interface SenderVerification {
  readonly authentication: MailAuthentication;
  /** An allow rule matches the author, and the domain of the From field is proven. */
  readonly isVerified: boolean;
  /** Of the mail, and of the rule if it is verified. */
  readonly owner: Owner;
  /** Null if it is accepted. */
  readonly rejection: string | null;
}

const rejectedByPolicy = 'The DMARC policy of the author domain rejects this mail.';
const unprovenSender =
  'A rule allows this sender, but neither SPF nor DKIM proves that the mail is from its domain. ' +
  'A DKIM signature must cover From, Subject, Message-ID, and To or Cc with this address.';
const blockedSender = 'The sender is blocked.';
const otherOwner = 'The rule that allows this sender is for mail of another owner.';

/**
 * Verifies the author of a mail with SPF, DKIM and DMARC and applies the account's current rules.
 * An allow rule applies only if the domain of the author is proven; one with an owner only to mail
 * of this owner, and to mail that was handed in without one.
 */
export async function verifySender(ctx: Ctx, mail: InboundMailRecord): Promise<SenderVerification> {
  const { envelope_sender: sender, client_ip: ip, client_helo: helo, recipient } = mail;
  const { results, isRejectedByPolicy, author, isAligned } = await authenticateMail(
    ctx.blobs.read(requireRawBlob(mail)),
    { sender, ip, helo, recipient },
    { resolve: ctx.resolveName, mta: ctx.config.email.domain },
  );
  const reject = (reason: string): SenderVerification => ({
    authentication: results,
    isVerified: false,
    owner: mail,
    rejection: reason,
  });
  // A relay that has authenticated the mail itself may have modified it.
  if (isRejectedByPolicy && ctx.config.email.dmarc && !mail.is_relay_authenticated)
    return reject(rejectedByPolicy);
  const rules = await findSenderRules(ctx.engine.db, ctx.actor.accountId);
  const unknown = ctx.actor.settings.email.accept_unknown;
  const { allowed, reason, rule } = evaluateSender(rules, mail.sender, unknown);
  if (!allowed) return reject(reason ?? blockedSender);
  // The recipient of a reply must be the authenticated author.
  const isAuthor = author !== null && canonicalAddress(mail.sender) === author;
  const isAuthentic = isAuthor && (isAligned || mail.is_relay_authenticated);
  // Without a matching rule, the account has no allow rules and accepts all senders.
  if (rule !== null && !isAuthentic) return reject(unprovenSender);
  if (rule === null)
    return { authentication: results, isVerified: false, owner: mail, rejection: null };
  const owner = combineOwners(mail, rule);
  if (owner === null) return reject(otherOwner);
  return { authentication: results, isVerified: true, owner, rejection: null };
}
