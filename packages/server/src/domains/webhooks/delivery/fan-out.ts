import { Pace } from '../../../kernel/pace.ts';
import { service } from '../../../kernel/service.ts';
import { readStale } from '../../../work/delivery-pause.ts';
import { oldestOf, readStretch, type StoredEvent } from '../../../work/outbox.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { isTold, subscribedTypes } from './matching.ts';
import type { DeliveryRecord, WebhookPlace } from './model.ts';
import { bodyOf, type PayloadForm } from './payload.ts';
import { insertDeliveries, type NewDelivery, pendingDeliveries } from './store/deliveries.ts';
import { holdLine, type Lease, moveOn } from './store/lines.ts';

/** Of events that become deliveries in one transaction. */
export const batchEvents = 100;
const batchEventsMin = 10;
/** Of bodies that are in memory for one webhook. */
const batchBytes = 1_048_576;

/** One after the other, so that searches wait for one of them at most. */
class Gate {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

const fanningOut = service((app: App) => ({ pace: new Pace(app.clock), gate: new Gate() }));

export interface Batch {
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
export function nextBatch(app: App, place: WebhookPlace, lease: Lease): Promise<Batch | null> {
  const { pace, gate } = fanningOut.of(app);
  return gate.run(() =>
    pace.step((rows) => {
      const count = Math.max(batchEventsMin, Math.min(rows, batchEvents));
      return takeBatch(app, place, lease, count);
    }),
  );
}

function takeBatch(
  { engine, ids, clock }: App,
  place: WebhookPlace,
  lease: Lease,
  count: number,
): Promise<Batch | null> {
  const most = { count: batchEvents, bytes: batchBytes };
  return engine.transaction(async (tx) => {
    const webhook = await holdLine(tx, place, lease, clock.now());
    if (!webhook) return null;
    const left = await pendingDeliveries(tx, place, most);
    if (left.length > 0) return { webhook, deliveries: left, isLast: false };
    const { events, upTo, more } = await readStretch(tx, place.accountId, {
      after: webhook.told_to,
      count,
      types: subscribedTypes(webhook.events),
    });
    const told = events.filter((event) => isTold(webhook, event));
    const times = { oldest: oldestOf(told), now: clock.now() };
    const stale = await readStale(tx, place.accountId, times);
    const made = told.map((event, i): NewDelivery => {
      const where = { number: webhook.last_number + 1 + i, id: ids.uuid() };
      const delivery = newDelivery(webhook, event, where);
      const isStale = stale !== null && event.created_at < stale.before;
      return isStale ? { ...delivery, error: stale.reason } : delivery;
    });
    const failures = made.filter(({ error }) => error !== undefined).length;
    const sent = made.length - failures;
    if (made.length > 0) await insertDeliveries(tx, place, made, clock.now());
    await moveOn(tx, place, {
      toldTo: upTo,
      numbers: made.length,
      deliveries: made.length,
      failures,
      release: sent === 0 && !more,
    });
    const deliveries = sent > 0 ? await pendingDeliveries(tx, place, most) : [];
    return { webhook, deliveries, isLast: !more && deliveries.length === sent };
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
