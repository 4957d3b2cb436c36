import type { Tx } from '../../../database/index.ts';
import type { RedactedEvent } from '../../../events/outbox.ts';
import { lockAllWebhooks } from '../store/webhooks.ts';
import { buildPayload, type PayloadForm } from './payload.ts';
import { findDeliveriesOfEvents, replaceDeliveryBodies } from './store/deliveries.ts';

/**
 * Replaces bodies of deliveries of redacted events. The transaction that redacted the events must
 * be committed: transactions that create deliveries lock the webhook before they read events, so
 * they either read redacted events or end before this begins.
 */
export async function redactDeliveries(
  tx: Tx,
  accountId: string,
  events: readonly RedactedEvent[],
): Promise<void> {
  await lockAllWebhooks(tx, accountId);
  const byId = new Map(events.map((event) => [event.id, event]));
  const deliveries = await findDeliveriesOfEvents(tx, accountId, [...byId.keys()]);
  const redacted = deliveries.flatMap(
    ({ webhook_id: id, number, event_id, payload_form: form }) => {
      const event = byId.get(event_id);
      if (event === undefined) return [];
      const body = buildPayload(event, { id, payload_form: form as PayloadForm });
      return [{ webhook_id: id, number, body }];
    },
  );
  await replaceDeliveryBodies(tx, accountId, redacted);
}
