import type { TxCtx } from '../../ctx.ts';
import { suppressRecipient } from './queue.ts';
import { markBounced } from './store/outbound-mails.ts';

/** A permanent delivery failure, reported by a delivery status notification. */
export interface Bounce {
  /** The bounced mail, identified by the return path. */
  readonly outboundId: string;
  /** The failed recipient; differs from ours if the mail was forwarded. */
  readonly recipient: string | null;
  readonly detail: string;
}

/**
 * Marks a mail as bounced and suppresses its recipient. The recipient is read from our own row,
 * because the notification is untrusted.
 */
export async function recordBounce(
  inTx: TxCtx,
  { outboundId, recipient, detail }: Bounce,
): Promise<void> {
  const message = recipient === null ? detail : `${recipient}: ${detail}`;
  const bounced = await markBounced(inTx.tx, inTx.actor.accountId, { outboundId, detail: message });
  if (bounced)
    await suppressRecipient(inTx, { email: bounced.recipient, reason: 'bounce', detail: message });
}
