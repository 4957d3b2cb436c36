import { readStretch, type StoredEvent } from '../../../work/outbox.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { isTold, subscribedTypes } from './matching.ts';
import type { DeliveryRecord, WebhookPlace } from './model.ts';
import { bodyOf, type PayloadForm } from './payload.ts';
import { insertDeliveries, type NewDelivery, pendingDeliveries } from './store/deliveries.ts';
import { holdLine, type Lease, moveOn } from './store/lines.ts';

/** Of events that become deliveries in one transaction. */
export const batchEvents = 100;
/** Of bodies that are in memory for one webhook. */
const batchBytes = 1_048_576;

export interface Batch {
  readonly webhook: WebhookRecord;
  /** To be attempted, one after the other; empty: the line was given back. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Nothing was left behind them. */
  readonly isLast: boolean;
}

/**
 * Takes or keeps a webhook's line and makes deliveries of the next events that it is to be told.
 * Null where another holds it, or there is nobody to tell.
 */
export function nextBatch(
  app: Pick<App, 'engine' | 'ids' | 'clock'>,
  place: WebhookPlace,
  lease: Lease,
): Promise<Batch | null> {
  const { engine, ids, clock } = app;
  const most = { count: batchEvents, bytes: batchBytes };
  return engine.transaction(async (tx) => {
    const webhook = await holdLine(tx, place, lease, clock.now());
    if (!webhook) return null;
    const left = await pendingDeliveries(tx, place, most);
    if (left.length > 0) return { webhook, deliveries: left, isLast: false };
    for (let after = webhook.told_to; ; ) {
      const stretch = await readStretch(tx, place.accountId, {
        after,
        count: batchEvents,
        types: subscribedTypes(webhook.events),
      });
      const told = stretch.events.filter((event) => isTold(webhook, event));
      if (told.length === 0 && stretch.more) {
        after = stretch.upTo;
        continue;
      }
      const made = told.map((event, i) =>
        newDelivery(webhook, event, { number: webhook.last_number + 1 + i, id: ids.uuid() }),
      );
      if (made.length > 0) await insertDeliveries(tx, place, made, clock.now());
      await moveOn(tx, place, {
        toldTo: stretch.upTo,
        numbers: made.length,
        deliveries: made.length,
        release: made.length === 0,
      });
      const deliveries = made.length > 0 ? await pendingDeliveries(tx, place, most) : [];
      return { webhook, deliveries, isLast: !stretch.more && deliveries.length === made.length };
    }
  });
}

export const newDelivery = (
  webhook: WebhookRecord,
  event: StoredEvent,
  { number, id }: { readonly number: number; readonly id: string },
): NewDelivery => ({
  number,
  id,
  event_id: event.id,
  event_type: event.type,
  event_at: event.created_at,
  body: bodyOf(event, { id: webhook.id, payload_form: webhook.payload_form as PayloadForm }),
});
