import { canAccountSend } from '../../../events/delivery-pause.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { deliver } from './deliver.ts';
import { batchEventsMax, leaseNextBatch } from './fan-out.ts';
import { attemptMs, type DeliveryRecord, leaseMs, type WebhookRef } from './model.ts';
import type { Slot } from './slots.ts';
import type { WebhookState } from './store/attempts.ts';
import { releaseLease, renewLease } from './store/ordered-deliveries.ts';

/** After so many attempts, and looks at the outbox, another webhook has its turn. */
const runStepsMax = batchEventsMax;
/** An attempt begins only where the lease outlasts it, and the record of what came of it. */
const leaseMarginMs = 10_000;

/**
 * One that is told much at once and answers goes ahead of its records by so many attempts, which
 * then share statements. So many may be made again after a kill, or by settings that have changed.
 */
const aheadMax = 8;

/** A line whose attempts take long reads so often whether the account may still send. */
const pauseCheckMs = 500;

export interface DeliveryRunOptions {
  readonly slot: Slot;
  /** No further attempt is to begin. */
  readonly isStopping: () => boolean;
  /** Gives up the one that is under way. */
  readonly signal: AbortSignal;
}

/**
 * A webhook's turn: the first attempts of its next deliveries, one after the other, under its
 * lease. True where something was done.
 */
export async function runOrderedDeliveries(
  app: App,
  place: WebhookRef,
  turn: DeliveryRunOptions,
): Promise<boolean> {
  const line = new OrderedDeliveries(app, place, turn);
  try {
    return await line.run();
  } finally {
    await line.finish();
  }
}

class OrderedDeliveries {
  readonly #app: App;
  readonly #place: WebhookRef;
  readonly #turn: DeliveryRunOptions;
  readonly #by: string;
  /** Records under way, the oldest first. */
  readonly #recording: Promise<void>[] = [];
  #untilMs = 0;
  /** When it was last known that the account may send. */
  #unpausedMs = 0;
  #isHeld = false;
  /** Somebody else attempts the deliveries, or by other settings, or nobody. */
  #isOver = false;
  #fault: Error | null = null;

  constructor(app: App, place: WebhookRef, turn: DeliveryRunOptions) {
    this.#app = app;
    this.#place = place;
    this.#turn = turn;
    this.#by = app.ids.uuid();
  }

  async run(): Promise<boolean> {
    for (let steps = 0; steps < runStepsMax; steps += 1) {
      // What is not recorded yet would be read as not attempted.
      await this.#waitForRecords(0);
      if (this.#isOver || this.#turn.isStopping()) return true;
      const lease = this.#lease();
      this.#unpausedMs = this.#app.clock.monotonicMs();
      const batch = await leaseNextBatch(this.#app, this.#place, lease);
      if (batch === null) return steps > 0;
      this.#untilMs = lease.until.getTime();
      this.#isHeld = batch.deliveries.length > 0 || !batch.isLast;
      // Also where there was nothing to tell: what was read is not looked at again.
      if (!this.#isHeld) return true;
      for (const delivery of batch.deliveries) {
        await this.#waitForRecords(steps < aheadMax ? 0 : aheadMax - 1);
        const isLast = batch.isLast && delivery === batch.deliveries.at(-1);
        if (!(await this.#mayGoOn()) || !(await this.#attempt(batch.webhook, delivery, isLast))) {
          return true;
        }
        steps += 1;
      }
    }
    return true;
  }

  /** Throws where an attempt could not be recorded: it is made again. */
  async finish(): Promise<void> {
    await Promise.all(this.#recording);
    if (this.#isHeld) await releaseLease(this.#app.engine.db, this.#place, this.#by);
    if (this.#fault) throw this.#fault;
  }

  #lease() {
    const until = new Date(this.#app.clock.now().getTime() + leaseMs);
    return { by: this.#by, until };
  }

  async #waitForRecords(leftMax: number): Promise<void> {
    while (this.#recording.length > leftMax) await this.#recording.shift();
  }

  async #mayGoOn(): Promise<boolean> {
    if (this.#isOver || this.#turn.isStopping() || (await this.#isPaused())) return false;
    const nowMs = this.#app.clock.now().getTime();
    if (this.#untilMs - nowMs >= attemptMs + leaseMarginMs) return true;
    const lease = this.#lease();
    this.#untilMs = lease.until.getTime();
    return renewLease(this.#app.engine.db, this.#place, lease);
  }

  async #isPaused(): Promise<boolean> {
    const nowMs = this.#app.clock.monotonicMs();
    if (nowMs - this.#unpausedMs < pauseCheckMs) return false;
    if (!(await canAccountSend(this.#app.engine.db, this.#place.accountId))) return true;
    this.#unpausedMs = nowMs;
    return false;
  }

  /** False where the turn is over. */
  async #attempt(
    webhook: WebhookRecord,
    delivery: DeliveryRecord,
    isLast: boolean,
  ): Promise<boolean> {
    const { signal, slot } = this.#turn;
    const releases = isLast ? this.#by : null;
    const delivered = await deliver(this.#app, webhook, delivery, { signal, releases });
    if (delivered === null) return false;
    const { attempt, recorded } = delivered;
    this.#recording.push(this.#heed(recorded, webhook, isLast));
    return slot.setFailing(attempt.error !== null);
  }

  async #heed(
    recorded: Promise<WebhookState | null>,
    webhook: WebhookRecord,
    isLast: boolean,
  ): Promise<void> {
    try {
      const after = await recorded;
      if (isLast && after !== null) this.#isHeld = false;
      // Changed or switched off meanwhile: what comes next is sent as it is now, or not at all.
      const isSame = after?.is_active === true && after.revision === webhook.revision;
      if (!isSame || isLast) this.#isOver = true;
    } catch (error) {
      this.#isOver = true;
      this.#fault = error as Error;
    }
  }
}
