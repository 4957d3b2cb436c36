import { MailSendFailed, type OutgoingMail } from '../../../providers/mail/index.ts';
import { type App, systemCtx, withTransaction } from '../../ctx.ts';
import { returnPathOf } from '../signed-addresses.ts';
import { suppressRecipient } from './queue.ts';
import { nextAttemptTime } from './retries.ts';
import {
  type OutboundMailRecord,
  recordAttempt,
  releaseMailLease,
} from './store/outbound-mails.ts';

/** Longer than an attempt and the recording of its outcome. */
export const mailLeaseMs = 300_000;
const attemptMs = 240_000;

/**
 * Sends a mail and records the outcome. If the process dies in between, the mail is sent again with
 * the same Message-ID: delivery is at least once.
 */
export async function attemptDelivery(
  app: App,
  mail: OutboundMailRecord,
  stopping: AbortSignal,
): Promise<void> {
  const deadline = new AbortController();
  using _timer = app.clock.after(attemptMs, () => deadline.abort());
  const signal = AbortSignal.any([deadline.signal, stopping]);
  let response: string;
  try {
    response = await app.sendMail(toOutgoingMail(app, mail), signal);
  } catch (error) {
    if (stopping.aborted) await releaseMailLease(app.engine.db, mail);
    else await recordFailure(app, mail, error);
    return;
  }
  const sentAt = app.clock.now();
  const outcome = { status: 'sent', response, nextAttemptAt: null, sentAt } as const;
  await recordAttempt(app.engine.db, mail, outcome);
}

async function recordFailure(app: App, mail: OutboundMailRecord, error: unknown): Promise<void> {
  // Messages of other errors may have details that only the operator may see.
  const isPublic = error instanceof MailSendFailed;
  const response = isPublic
    ? error.message
    : 'The mail could not be sent. The server log has the reason.';
  const isFinal = isPublic && error.isPermanent;
  const isRecipientRejected = isPublic && error.isRecipientRejected;
  const now = app.clock.now();
  const nextAttemptAt = isFinal ? null : nextAttemptTime(mail.attempts, now, app.ids.fraction());
  app.log.warn({ err: error, mail: mail.id, next: nextAttemptAt }, 'mail delivery failed');
  const finalStatus = isRecipientRejected ? 'bounced' : 'failed';
  const status = nextAttemptAt === null ? finalStatus : 'queued';
  await withTransaction(systemCtx(app, mail.account_id), async (inTx) => {
    const outcome = { status, response, nextAttemptAt, sentAt: null } as const;
    const isRecorded = await recordAttempt(inTx.tx, mail, outcome);
    if (!isRecorded || !isRecipientRejected) return;
    await suppressRecipient(inTx, { email: mail.recipient, reason: 'bounce', detail: response });
  });
}

const toOutgoingMail = (app: App, mail: OutboundMailRecord): OutgoingMail => ({
  id: mail.id,
  sender: mail.sender,
  recipient: mail.recipient,
  // A bounce of a reply is not processed.
  returnPath: mail.kind === 'answer' ? null : returnPathOf(app, mail.id, app.clock.now()),
  messageId: mail.message_id,
  at: mail.created_at,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: mail.headers,
});
