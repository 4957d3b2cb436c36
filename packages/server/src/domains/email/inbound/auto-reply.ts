import type { TxCtx } from '../../ctx.ts';
import { findActiveAddress } from '../addresses/store/addresses.ts';
import { enqueueMail } from '../outbound/queue.ts';
import { claimAutoReply, type InboundMailRecord } from './store/mails.ts';

export interface AutoReply {
  readonly subject: string;
  readonly text: string;
  /** Memories that it quotes. */
  readonly memoryIds?: readonly string[];
}

const referencesMax = 20;

/** Queues the reply to a mail, at most one, in its thread. */
export async function enqueueAutoReply(
  inTx: TxCtx,
  mail: InboundMailRecord,
  { subject, text, memoryIds = [] }: AutoReply,
): Promise<void> {
  if (!(await claimAutoReply(inTx.tx, mail, inTx.clock.now()))) return;
  const parents = [...mail.thread, ...(mail.message_id === null ? [] : [mail.message_id])];
  const address = await findActiveAddress(inTx.tx, mail.account_id);
  const references = parents.slice(-referencesMax).map((id) => `<${id}>`);
  await enqueueMail(inTx, {
    kind: 'answer',
    recipient: mail.sender,
    subject,
    text,
    memoryIds,
    mailId: mail.id,
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      // The sender is no-reply, but users confirm commands with a reply.
      ...(address === undefined ? {} : { 'Reply-To': `${address.local_part}@${address.domain}` }),
      ...(mail.message_id === null ? {} : { 'In-Reply-To': `<${mail.message_id}>` }),
      ...(references.length === 0 ? {} : { References: references.join(' ') }),
    },
  });
}

export const replySubject = (mail: InboundMailRecord): string => {
  const subject = mail.subject.replace(/^(?:re\s*:\s*)+/i, '');
  return `Re: ${subject === '' ? '(no subject)' : subject}`;
};
