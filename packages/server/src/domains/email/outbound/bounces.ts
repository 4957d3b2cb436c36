import type { TxCtx } from '../../ctx.ts';
import { suppress } from './queue.ts';
import { markBounced } from './store.ts';

/** What a delivery status notification says, of a delivery that failed for good. */
export interface Bounce {
  /** Of the mails that came back, without angle brackets. */
  readonly messageIds: readonly string[];
  /** Whom it names; another than the mail went to where it was forwarded. */
  readonly recipient: string | null;
  readonly detail: string;
}

/**
 * Records that a mail of ours came back, and sends no more reactions and digests there. One that
 * we never sent changes nothing: whom we write to is told by our own record, not by what comes in.
 */
export async function noteBounce(
  inTx: TxCtx,
  { messageIds, recipient, detail }: Bounce,
): Promise<void> {
  const told = recipient === null ? detail : `${recipient}: ${detail}`;
  const bounced = await markBounced(inTx.tx, inTx.actor.accountId, { messageIds, detail: told });
  for (const { recipient: email } of bounced) {
    await suppress(inTx, { email, reason: 'bounce', detail: told });
  }
}
