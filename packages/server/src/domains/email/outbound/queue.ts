import { mailNotifier } from '../../../events/commit-notifier.ts';
import type { TxCtx } from '../../ctx.ts';
import { noReplyAddress } from '../signed-addresses.ts';
import { failQueuedMailTo, insertOutbound } from './store/outbound-mails.ts';
import { insertSuppression, isSuppressed } from './store/suppressions.ts';

export interface NewOutboundMail {
  readonly kind: 'answer' | 'reaction' | 'digest';
  readonly recipient: string;
  /** Any text: line breaks, which would start another header, become spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The spaces of a digest or reaction; null: every space. A reply has that of its mail. */
  readonly spaces?: readonly string[] | null;
  /** Memories that it quotes. If one of them is erased, the mail is not sent. */
  readonly memoryIds?: readonly string[];
  /** The mail that it replies to. */
  readonly mailId?: string;
  /** Additional headers: threading, List-Unsubscribe. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A key is queued only once. */
  readonly dedupeKey?: string;
  /** If set, the mail is stored as failed with this reason and not sent. */
  readonly failure?: string | undefined;
}

const subjectCharactersMax = 500;

/** Replaces line breaks, which would end the header. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/**
 * Queues a mail, which is sent if the transaction commits. False if its key was used before or the
 * recipient is suppressed.
 */
export async function enqueueMail(inTx: TxCtx, mail: NewOutboundMail): Promise<boolean> {
  const { tx, actor, ids, clock, config } = inTx;
  const { accountId } = actor;
  if (mail.kind !== 'answer' && (await isSuppressed(tx, accountId, mail.recipient))) return false;
  const id = ids.uuid();
  const now = clock.now();
  const headers = Object.entries(mail.headers ?? {}).map(([name, value]) => [name, oneLine(value)]);
  const isNew = await insertOutbound(tx, {
    account_id: accountId,
    id,
    kind: mail.kind,
    mail_id: mail.mailId ?? null,
    dedupe_key: mail.dedupeKey ?? null,
    // Not the account's own address, since recipients need not be allowed to write to it.
    sender: noReplyAddress(inTx),
    recipient: mail.recipient,
    message_id: `${id}@${config.email.domain}`,
    subject: [...oneLine(mail.subject)].slice(0, subjectCharactersMax).join(''),
    ...(mail.failure === undefined
      ? { text: mail.text, html: mail.html ?? null }
      : { text: '', html: null }),
    headers: JSON.stringify(Object.fromEntries(headers)),
    spaces: mail.spaces ? [...mail.spaces] : null,
    memory_ids: [...(mail.memoryIds ?? [])],
    ...(mail.failure === undefined
      ? { status: 'queued', next_attempt_at: now }
      : { status: 'failed', response: mail.failure }),
    created_at: now,
  });
  if (isNew) inTx.journal.afterCommit(() => mailNotifier.of(inTx).notify(new Set([accountId])));
  return isNew;
}

/** Stops reactions and digests to the address, also those already queued. */
export async function suppressRecipient(
  { tx, actor, clock }: TxCtx,
  suppression: { email: string; reason: 'stop' | 'unsubscribe' | 'bounce'; detail: string | null },
): Promise<void> {
  const email = suppression.email.toLowerCase();
  const row = { account_id: actor.accountId, ...suppression, email, created_at: clock.now() };
  await insertSuppression(tx, row);
  await failQueuedMailTo(tx, actor.accountId, email);
}
