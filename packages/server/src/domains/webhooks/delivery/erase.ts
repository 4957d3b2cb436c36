import type { Tx } from '../../../database/index.ts';
import type { RedactedEvent } from '../../../events/outbox.ts';
import { lockAllWebhooks } from '../store/webhooks.ts';
import { buildPayload, type PayloadForm } from './payload.ts';
import { findDeliveriesOfEvents, replaceBodies } from './store/deliveries.ts';

/**
 * Gives deliveries of emptied events, sent or not, the bodies of these events. The transaction that
 * emptied them must have committed: whoever makes deliveries holds the webhook while it reads
 * events, and so reads them emptied, or is done before this begins.
 */
export async function redactDeliveries(
  tx: Tx,
  accountId: string,
  events: readonly RedactedEvent[],
): Promise<void> {
  await lockAllWebhooks(tx, accountId);
  const byId = new Map(events.map((event) => [event.id, event]));
  const found = await findDeliveriesOfEvents(tx, accountId, [...byId.keys()]);
  const emptied = found.flatMap(({ webhook_id: id, number, event_id, payload_form: form }) => {
    const event = byId.get(event_id);
    if (event === undefined) return [];
    const body = buildPayload(event, { id, payload_form: form as PayloadForm });
    return [{ webhook_id: id, number, body }];
  });
  await replaceBodies(tx, accountId, emptied);
}
