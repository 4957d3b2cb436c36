import { readStaleCutoff } from '../../../events/delivery-pause.ts';
import { oldestEventTime, readEventBatch, type StoredEvent } from '../../../events/outbox.ts';
import { AdaptiveBatch } from '../../../kernel/adaptive-batch.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { matches, subscribedTypes } from './matching.ts';
import type { DeliveryRecord, WebhookRef } from './model.ts';
import { buildPayload, type PayloadForm } from './payload.ts';
import { findPendingDeliveries, insertDeliveries, type NewDelivery } from './store/deliveries.ts';
import { acquireLease, advanceCursor, type Lease } from './store/ordered-deliveries.ts';

/** Of events that become deliveries in one transaction. */
export const batchEventsMax = 100;
const batchEventsMin = 10;
/** Of bodies that are in memory for one webhook. */
const batchBytes = 1_048_576;

/** One after the other, so that searches wait for one of them at most. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

const fanOutState = perApp((app: App) => ({
  pace: new AdaptiveBatch(app.clock),
  gate: new Mutex(),
}));

export interface DeliveryBatch {
  readonly webhook: WebhookRecord;
  /** To be attempted, one after the other. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Nothing was left behind them; where there are none, the line was given back. */
  readonly isLast: boolean;
}

/**
 * Takes or keeps a webhook's line and makes deliveries of the next events that it is to be told.
 * Null where another holds it, or there is nobody to tell.
 */
export function leaseNextBatch(
  app: App,
  place: WebhookRef,
  lease: Lease,
): Promise<DeliveryBatch | null> {
  const { pace, gate } = fanOutState.of(app);
  return gate.run(() =>
    pace.run((rows) => {
      const count = Math.max(batchEventsMin, Math.min(rows, batchEventsMax));
      return createBatch(app, place, lease, count);
    }),
  );
}

function createBatch(
  { engine, ids, clock }: App,
  place: WebhookRef,
  lease: Lease,
  count: number,
): Promise<DeliveryBatch | null> {
  const most = { count: batchEventsMax, bytes: batchBytes };
  return engine.transaction(async (tx) => {
    const webhook = await acquireLease(tx, place, lease, clock.now());
    if (!webhook) return null;
    const left = await findPendingDeliveries(tx, place, most);
    if (left.length > 0) return { webhook, deliveries: left, isLast: false };
    const { events, upTo, more } = await readEventBatch(tx, place.accountId, {
      after: webhook.told_to,
      limit: count,
      types: subscribedTypes(webhook.events),
    });
    const told = events.filter((event) => matches(webhook, event));
    const times = { oldest: oldestEventTime(told), now: clock.now() };
    const stale = await readStaleCutoff(tx, place.accountId, times);
    const made = told.map((event, i): NewDelivery => {
      const where = { number: webhook.last_number + 1 + i, id: ids.uuid() };
      const delivery = buildDelivery(webhook, event, where);
      const isStale = stale !== null && event.created_at < stale.before;
      return isStale ? { ...delivery, error: stale.reason } : delivery;
    });
    const failures = made.filter(({ error }) => error !== undefined).length;
    const sent = made.length - failures;
    if (made.length > 0) await insertDeliveries(tx, place, made, clock.now());
    await advanceCursor(tx, place, {
      toldTo: upTo,
      numbers: made.length,
      deliveries: made.length,
      failures,
      release: sent === 0 && !more,
    });
    const deliveries = sent > 0 ? await findPendingDeliveries(tx, place, most) : [];
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
  event_at: event.created_at,
  body: buildPayload(event, { id: webhook.id, payload_form: webhook.payload_form as PayloadForm }),
});
