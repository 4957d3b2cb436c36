import type { App } from '../domains/ctx.ts';
import { acceptMail, type Envelope, type Mailbox, storeRawMail } from '../domains/email/index.ts';
import { SmtpReplyError } from './reply-error.ts';

/** Of what no person writes: bounces and unsubscriptions, which strangers may send. */
const noticeBytesMax = 1_048_576;

export interface Delivery {
  readonly recipients: readonly Mailbox[];
  readonly envelope: Envelope;
}

/**
 * Takes a mail for all of its recipients; when it resolves the mail is durable. A reply speaks for
 * all of them: one that cannot be served makes the sender come again, and who has it has it once.
 */
export async function deliver(
  app: App,
  source: AsyncIterable<Uint8Array>,
  { recipients, envelope }: Delivery,
): Promise<void> {
  const isNotice = recipients.every(({ purpose }) => purpose !== 'memory');
  const raw = await storeRawMail(app, source, isNotice ? noticeBytesMax : undefined);
  let isUsed = false;
  let refused: string | null = null;
  let accepted = 0;
  try {
    for (const mailbox of onePerAccount(recipients)) {
      const taken = await acceptMail(app, mailbox, { raw, envelope, isOverLimit: false });
      isUsed ||= taken.isNew;
      if (taken.status === 'rejected') refused = taken.reason ?? 'The sender is refused';
      else accepted += 1;
    }
  } finally {
    if (!isUsed) await app.blobs.remove(raw.blob.name);
  }
  if (accepted === 0 && refused !== null) throw new SmtpReplyError(550, '5.7.1', refused);
}

/** An account has a mail once, at however many of its addresses it arrives; signed ones apart. */
const onePerAccount = (recipients: readonly Mailbox[]): Mailbox[] => [
  ...new Map(
    recipients.map((one) => [one.purpose === 'memory' ? one.accountId : one.address, one]),
  ).values(),
];
