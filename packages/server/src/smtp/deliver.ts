import type { App } from '../domains/ctx.ts';
import { acceptMail, type Envelope, type Mailbox, storeRawMail } from '../domains/email/index.ts';
import { SmtpReplyError } from './reply-error.ts';

/** For bounces and unsubscribe mails, which anyone may send. */
const noticeBytesMax = 1_048_576;

export interface MailDelivery {
  readonly recipients: readonly Mailbox[];
  readonly envelope: Envelope;
}

/**
 * Delivers a mail to all recipients; the mail is durable when this resolves. One SMTP reply covers
 * all recipients, so a failure for one makes the sender retry; a repeated mail is stored once.
 */
export async function deliverMail(
  app: App,
  source: AsyncIterable<Uint8Array>,
  { recipients, envelope }: MailDelivery,
): Promise<void> {
  const isNotice = recipients.every(({ purpose }) => purpose !== 'memory');
  const raw = await storeRawMail(app, source, isNotice ? noticeBytesMax : undefined);
  let isStored = false;
  let rejection: string | null = null;
  let accepted = 0;
  try {
    for (const mailbox of uniqueByAccount(recipients)) {
      const result = await acceptMail(app, mailbox, { raw, envelope, isOverLimit: false });
      isStored ||= result.isNew;
      if (result.status === 'rejected') rejection = result.reason ?? 'Sender not allowed';
      else accepted += 1;
    }
  } finally {
    if (!isStored) await app.blobs.remove(raw.blob.name);
  }
  if (accepted === 0 && rejection !== null) throw new SmtpReplyError(550, '5.7.1', rejection);
}

/** One mailbox per account for memories; each address for bounces and unsubscribe mails. */
const uniqueByAccount = (recipients: readonly Mailbox[]): Mailbox[] => [
  ...new Map(
    recipients.map((mailbox) => [
      mailbox.purpose === 'memory' ? mailbox.accountId : mailbox.address,
      mailbox,
    ]),
  ).values(),
];
