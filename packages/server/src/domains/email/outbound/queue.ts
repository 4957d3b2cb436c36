import { mailNotifier } from '../../../events/commit-notifier.ts';
import type { TxCtx } from '../../ctx.ts';
import { noReplyAddress } from '../signed-addresses.ts';
import { failQueuedMailTo, insertOutbound, insertSuppression, isSuppressed } from './store.ts';

export interface NewOutboundMail {
  readonly kind: 'answer' | 'reaction' | 'digest';
  readonly recipient: string;
  /** Anything: what would end the line, and begin another header, becomes a space. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** That a digest or a reaction tells of; null: every space. An answer has those of its mail. */
  readonly spaces?: readonly string[] | null;
  /** Memories that it quotes: it is not sent any more once one of them is erased. */
  readonly memoryIds?: readonly string[];
  /** The mail that it answers. */
  readonly mailId?: string;
  /** Beside what every mail has: threading, List-Unsubscribe. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Queued once for a key. */
  readonly dedupeKey?: string;
  /** Why it has failed without an attempt; absent: it is to be sent. */
  readonly failure?: string | undefined;
}

const subjectCharactersMax = 500;

/** In one line, since a header ends where its line does. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/**
 * Leaves when, and only when, the transaction commits. False where its key was used before, or
 * the recipient wants no such mail.
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
    // Never the account's own address: who gets mail need not be who may write.
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

/** No reactions and no digests to it any more, also of those that wait to leave. */
export async function suppress(
  { tx, actor, clock }: TxCtx,
  told: { email: string; reason: 'stop' | 'unsubscribe' | 'bounce'; detail: string | null },
): Promise<void> {
  const email = told.email.toLowerCase();
  const row = { account_id: actor.accountId, ...told, email, created_at: clock.now() };
  await insertSuppression(tx, row);
  await failQueuedMailTo(tx, actor.accountId, email);
}
