import type { MailAuthentication } from '@mneme/contract';
import { authenticateMail, canonicalAddress } from '../../../providers/mail/index.ts';
import type { Ctx } from '../../ctx.ts';
import { evaluateSender } from '../senders/model.ts';
import { senderRules } from '../senders/store.ts';
import { type InboundMailRecord, requireRawBlob } from './store/mails.ts';

/** What a mail may do. */
export interface SenderVerification {
  readonly authentication: MailAuthentication;
  /** A rule allows its author, and the domain of the From field is proven. */
  readonly isVerified: boolean;
  /** Why it is refused; null: it is not. */
  readonly rejection: string | null;
}

const rejectedByPolicy = 'The domain of its author asks to refuse mail like this (DMARC).';
const unprovenSender =
  'A rule allows this sender, but neither SPF nor DKIM proves that the mail comes from its ' +
  'domain. A DKIM signature must cover From, Subject, Message-ID, and To or Cc with this address.';
const blockedSender = 'The sender is blocked.';

/**
 * Judges who wrote a mail: by what proves its From field, and by the account's rules as they are
 * now. An allow rule holds for an author whose domain is proven, and for nobody who only claims to
 * be that author.
 */
export async function verifySender(ctx: Ctx, mail: InboundMailRecord): Promise<SenderVerification> {
  const { envelope_sender: sender, client_ip: ip, client_helo: helo, recipient } = mail;
  const { results, isRejectedByPolicy, author, isAligned } = await authenticateMail(
    ctx.blobs.read(requireRawBlob(mail)),
    { sender, ip, helo, recipient },
    { resolve: ctx.resolveName, mta: ctx.config.email.domain },
  );
  const refused = (refusal: string): SenderVerification => ({
    authentication: results,
    isVerified: false,
    rejection: refusal,
  });
  // What a relay has authenticated itself may look changed from here.
  if (isRejectedByPolicy && ctx.config.email.dmarc && !mail.is_declared)
    return refused(rejectedByPolicy);
  const rules = await senderRules(ctx.engine.db, ctx.actor.accountId);
  const unknown = ctx.actor.settings.email.accept_unknown;
  const { allowed, reason, rule } = evaluateSender(rules, mail.sender, unknown);
  if (!allowed) return refused(reason ?? blockedSender);
  // Whom we would answer is who was authenticated, or nobody.
  const isAuthor = author !== null && canonicalAddress(mail.sender) === author;
  const isAuthentic = isAuthor && (isAligned || mail.is_declared);
  // It is allowed by a rule, or there is none that allows anybody.
  if (rule !== null && !isAuthentic) return refused(unprovenSender);
  return { authentication: results, isVerified: rule !== null && isAuthentic, rejection: null };
}
