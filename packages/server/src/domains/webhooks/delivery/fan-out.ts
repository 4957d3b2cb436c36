import { readStaleCutoff } from '../../../events/delivery-pause.ts';
import { oldestEventTime, readEventBatch, type StoredEvent } from '../../../events/outbox.ts';
import { AdaptiveBatchSize } from '../../../kernel/adaptive-batch-size.ts';
import type { Lease } from '../../../kernel/lease.ts';
import { Mutex } from '../../../kernel/mutex.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { matchesSubscription, subscribedTypes } from './matching.ts';
import type { DeliveryRecord, WebhookRef } from './model.ts';
import { buildPayload, type PayloadForm } from './payload.ts';
import { findPendingDeliveries, insertDeliveries, type NewDelivery } from './store/deliveries.ts';
import { acquireWebhookLease, advanceWebhookCursor } from './store/ordered-deliveries.ts';

/** Maximum number of events per transaction that become deliveries. */
export const batchEventsMax = 100;
const batchEventsMin = 10;
/** Maximum bytes of bodies in memory per webhook. */
const batchBytes = 1_048_576;

const fanOutState = perApp((app: App) => ({
  adaptiveBatch: new AdaptiveBatchSize(app.clock),
  /** One transaction at a time, so that searches wait for at most one of them. */
  mutex: new Mutex(),
}));

export interface DeliveryBatch {
  readonly webhook: WebhookRecord;
  /** To be attempted in order. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Nothing else is waiting; if `deliveries` is empty, the lease is released. */
  readonly isLast: boolean;
}

/**
 * Acquires or renews the lease of a webhook and creates deliveries of its next events. Null if
 * another process holds the lease, or the webhook is inactive.
 */
export function leaseNextDeliveryBatch(
  app: App,
  webhookRef: WebhookRef,
  lease: Lease,
): Promise<DeliveryBatch | null> {
  const { adaptiveBatch, mutex } = fanOutState.of(app);
  return mutex.run(() =>
    adaptiveBatch.run((rows) => {
      const count = Math.max(batchEventsMin, Math.min(rows, batchEventsMax));
      return createBatch(app, webhookRef, lease, count);
    }),
  );
}

function createBatch(
  { engine, ids, clock }: App,
  webhookRef: WebhookRef,
  lease: Lease,
  count: number,
): Promise<DeliveryBatch | null> {
  const limits = { count: batchEventsMax, bytes: batchBytes };
  return engine.transaction(async (tx) => {
    const webhook = await acquireWebhookLease(tx, webhookRef, lease, clock.now());
    if (!webhook) return null;
    const pending = await findPendingDeliveries(tx, webhookRef, limits);
    if (pending.length > 0) return { webhook, deliveries: pending, isLast: false };
    const { events, upTo, more } = await readEventBatch(tx, webhookRef.accountId, {
      after: webhook.cursor,
      limit: count,
      types: subscribedTypes(webhook.events),
    });
    const matching = events.filter((event) => matchesSubscription(webhook, event));
    const times = { oldest: oldestEventTime(matching), now: clock.now() };
    const stale = await readStaleCutoff(tx, webhookRef.accountId, times);
    const newDeliveries = matching.map((event, i): NewDelivery => {
      const identity = { number: webhook.last_sequence_number + 1 + i, id: ids.uuid() };
      const delivery = buildDelivery(webhook, event, identity);
      const isStale = stale !== null && event.created_at < stale.before;
      return isStale ? { ...delivery, error: stale.reason } : delivery;
    });
    const failures = newDeliveries.filter(({ error }) => error !== undefined).length;
    const sent = newDeliveries.length - failures;
    if (newDeliveries.length > 0)
      await insertDeliveries(tx, webhookRef, newDeliveries, clock.now());
    await advanceWebhookCursor(tx, webhookRef, {
      upTo,
      numbers: newDeliveries.length,
      deliveries: newDeliveries.length,
      failures,
      release: sent === 0 && !more,
    });
    const deliveries = sent > 0 ? await findPendingDeliveries(tx, webhookRef, limits) : [];
    return { webhook, deliveries, isLast: !more && deliveries.length === sent };
  });
}

export const buildDelivery = (
  webhook: WebhookRecord,
  event: StoredEvent,
  { number, id }: { readonly number: number; readonly id: string },
): NewDelivery => ({
  number,
  id,
  event_id: event.id,
  event_type: event.type,
  event_created_at: event.created_at,
  body: buildPayload(event, { id: webhook.id, payload_form: webhook.payload_form as PayloadForm }),
});
