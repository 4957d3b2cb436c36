import type { TxCtx } from '../../ctx.ts';
import { suppress } from './queue.ts';
import { markBounced } from './store.ts';

/** What a delivery status notification says, of a delivery that failed for good. */
export interface Bounce {
  /** The mail that came back, by the return path that it came back to. */
  readonly outboundId: string;
  /** Whom it names; another than the mail went to where it was forwarded. */
  readonly recipient: string | null;
  readonly detail: string;
}

/**
 * Records that a mail of ours came back, and sends no more reactions and digests there. Whom we
 * wrote to is told by our own record, not by what comes in.
 */
export async function recordBounce(
  inTx: TxCtx,
  { outboundId, recipient, detail }: Bounce,
): Promise<void> {
  const told = recipient === null ? detail : `${recipient}: ${detail}`;
  const bounced = await markBounced(inTx.tx, inTx.actor.accountId, { outboundId, detail: told });
  if (bounced) await suppress(inTx, { email: bounced.recipient, reason: 'bounce', detail: told });
}
