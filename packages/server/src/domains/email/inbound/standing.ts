import type { MailAuthentication } from '@mneme/contract';
import { authenticateMail, canonicalAddress } from '../../../providers/mail/index.ts';
import type { Ctx } from '../../ctx.ts';
import { judgeSender } from '../senders/model.ts';
import { senderRules } from '../senders/store.ts';
import { type MailRecord, rawOf } from './store/mails.ts';

/** What a mail may do. */
export interface Standing {
  readonly authentication: MailAuthentication;
  /** A rule allows its author, and the domain of the From field is proven. */
  readonly isVerified: boolean;
  /** Why it is refused; null: it is not. */
  readonly refusal: string | null;
}

const byPolicy = 'The domain of its author asks to refuse mail like this (DMARC).';
const unproven =
  'A rule allows this sender, but neither SPF nor DKIM proves that the mail comes from its ' +
  'domain. A DKIM signature must cover From, Subject, Message-ID, and To or Cc with this address.';
const blocked = 'The sender is blocked.';

/**
 * Judges who wrote a mail: by what proves its From field, and by the account's rules as they are
 * now. An allow rule holds for an author whose domain is proven, and for nobody who only claims to
 * be that author.
 */
export async function standingOf(ctx: Ctx, mail: MailRecord): Promise<Standing> {
  const { envelope_sender: sender, client_ip: ip, client_helo: helo, recipient } = mail;
  const { results, rejects, author, isAligned } = await authenticateMail(
    ctx.blobs.read(rawOf(mail)),
    { sender, ip, helo, recipient },
    { resolve: ctx.resolveName, mta: ctx.config.email.domain },
  );
  const refused = (refusal: string): Standing => ({
    authentication: results,
    isVerified: false,
    refusal,
  });
  // What a relay has authenticated itself may look changed from here.
  if (rejects && ctx.config.email.dmarc && !mail.is_declared) return refused(byPolicy);
  const rules = await senderRules(ctx.engine.db, ctx.actor.accountId);
  const unknown = ctx.actor.settings.email.accept_unknown;
  const { allowed, reason, rule } = judgeSender(rules, mail.sender, unknown);
  if (!allowed) return refused(reason ?? blocked);
  // Whom we would answer is who was authenticated, or nobody.
  const isAuthor = author !== null && canonicalAddress(mail.sender) === author;
  const isAuthentic = isAuthor && (isAligned || mail.is_declared);
  // It is allowed by a rule, or there is none that allows anybody.
  if (rule !== null && !isAuthentic) return refused(unproven);
  return { authentication: results, isVerified: rule !== null && isAuthentic, refusal: null };
}
