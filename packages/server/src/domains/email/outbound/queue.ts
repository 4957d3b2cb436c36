import type { TxCtx } from '../../ctx.ts';
import { presentAddress } from '../addresses/store.ts';
import { insertOutbound, suppressAddress } from './store.ts';

export interface NewMail {
  readonly kind: 'answer' | 'reaction' | 'digest';
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The mail that it answers. */
  readonly mailId?: string;
  /** Beside what every mail has: threading, List-Unsubscribe. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Queued once for a key. */
  readonly dedupeKey?: string;
}

/** Leaves when, and only when, the transaction commits; false where its key was used before. */
export async function queueMail(inTx: TxCtx, mail: NewMail): Promise<boolean> {
  const { tx, actor, ids, clock, config } = inTx;
  const address = await presentAddress(tx, actor.accountId);
  const domain = address?.domain ?? config.email.domain;
  const id = ids.uuid();
  const now = clock.now();
  return insertOutbound(tx, {
    account_id: actor.accountId,
    id,
    kind: mail.kind,
    mail_id: mail.mailId ?? null,
    dedupe_key: mail.dedupeKey ?? null,
    sender: address === undefined ? `no-reply@${domain}` : `${address.local_part}@${domain}`,
    recipient: mail.recipient,
    message_id: `${id}@${domain}`,
    subject: mail.subject,
    text: mail.text,
    html: mail.html ?? null,
    headers: JSON.stringify(mail.headers ?? {}),
    status: 'queued',
    next_attempt_at: now,
    created_at: now,
  });
}

/** No reactions and no digests to it any more. */
export const suppress = (
  { tx, actor, clock }: TxCtx,
  told: { email: string; reason: 'stop' | 'unsubscribe' | 'bounce'; detail: string | null },
): Promise<void> =>
  suppressAddress(tx, {
    account_id: actor.accountId,
    ...told,
    email: told.email.toLowerCase(),
    created_at: clock.now(),
  });
