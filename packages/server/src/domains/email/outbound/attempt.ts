import { MailSendFailed, type OutgoingMail } from '../../../providers/mail/index.ts';
import { type App, systemCtx, withTransaction } from '../../ctx.ts';
import { returnPathOf } from '../signed-addresses.ts';
import { suppress } from './queue.ts';
import { nextAttempt } from './retries.ts';
import { type OutboundMailRecord, recordAttempt, releaseMail } from './store.ts';

/** Longer than any attempt, and the record of what came of it. */
export const leaseMs = 300_000;
const attemptMs = 240_000;

/**
 * One attempt, and what came of it. A process that dies between the two sends the mail again, with
 * the same Message-ID: mail is told at least once.
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
    if (stopping.aborted) await releaseMail(app.engine.db, mail);
    else await recordFailure(app, mail, error);
    return;
  }
  const sentAt = app.clock.now();
  const outcome = { status: 'sent', response, nextAttemptAt: null, sentAt } as const;
  await recordAttempt(app.engine.db, mail, outcome);
}

async function recordFailure(app: App, mail: OutboundMailRecord, error: unknown): Promise<void> {
  // Of anything else the text may tell what only the operator is to know.
  const isTold = error instanceof MailSendFailed;
  const response = isTold ? error.message : 'The mail could not be sent; the log has the reason.';
  const isFinal = isTold && error.isPermanent;
  const isAddress = isTold && error.isRecipientRejected;
  const now = app.clock.now();
  const nextAttemptAt = isFinal ? null : nextAttempt(mail.attempts, now, app.ids.fraction());
  app.log.warn({ err: error, mail: mail.id, next: nextAttemptAt }, 'a mail was not taken over');
  const ended = isAddress ? 'bounced' : 'failed';
  const status = nextAttemptAt === null ? ended : 'queued';
  await withTransaction(systemCtx(app, mail.account_id), async (inTx) => {
    const outcome = { status, response, nextAttemptAt, sentAt: null } as const;
    const isOurs = await recordAttempt(inTx.tx, mail, outcome);
    if (!isOurs || !isAddress) return;
    await suppress(inTx, { email: mail.recipient, reason: 'bounce', detail: response });
  });
}

const toOutgoingMail = (app: App, mail: OutboundMailRecord): OutgoingMail => ({
  id: mail.id,
  sender: mail.sender,
  recipient: mail.recipient,
  // An answer that comes back is answered by nobody.
  returnPath: mail.kind === 'answer' ? null : returnPathOf(app, mail.id, app.clock.now()),
  messageId: mail.message_id,
  at: mail.created_at,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: mail.headers,
});
