import { releaseLease, renewLease } from '../../../database/index.ts';
import { canAccountSend } from '../../../events/delivery-pause.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import type { AttemptSlot } from './attempt-slots.ts';
import { attemptDelivery } from './deliver.ts';
import { batchEventsMax, leaseNextDeliveryBatch } from './fan-out.ts';
import { attemptTimeoutMs, type DeliveryRecord, type WebhookRef, webhookLeaseMs } from './model.ts';
import type { WebhookState } from './store/attempts.ts';
import { leasedActiveWebhook, leasedWebhook } from './store/ordered-deliveries.ts';

/** After this many attempts and outbox reads, another webhook gets the slot. */
const runStepsMax = batchEventsMax;
/** An attempt begins only if the lease outlasts the attempt and the record of its result. */
const leaseMarginMs = 10_000;

/**
 * Maximum number of unrecorded attempts of a run with many fast deliveries; their records share
 * statements. Up to this many are repeated after a crash, or were sent with outdated settings.
 */
const unrecordedAttemptsMax = 8;

/** How often a run with slow attempts checks whether the account may still send. */
const pauseCheckMs = 500;

export interface DeliveryRunOptions {
  readonly slot: AttemptSlot;
  /** True: no further attempt may begin. */
  readonly isStopping: () => boolean;
  /** Aborts the current attempt. */
  readonly signal: AbortSignal;
}

/**
 * A run of a webhook: the first attempts of its next deliveries in order, under its lease. True if
 * there was anything to do.
 */
export async function runOrderedDeliveries(
  app: App,
  webhookRef: WebhookRef,
  options: DeliveryRunOptions,
): Promise<boolean> {
  const run = new OrderedDeliveries(app, webhookRef, options);
  try {
    return await run.run();
  } finally {
    await run.finish();
  }
}

class OrderedDeliveries {
  readonly #app: App;
  readonly #webhookRef: WebhookRef;
  readonly #options: DeliveryRunOptions;
  readonly #leaseHolder: string;
  /** Records being written, oldest first. */
  readonly #pendingRecords: Promise<void>[] = [];
  #leaseUntilMs = 0;
  /** When the account was last known to be allowed to send. */
  #lastPauseCheckMs = 0;
  #isHeld = false;
  /** The lease is lost, or the webhook was changed or disabled. */
  #isStopped = false;
  #failure: Error | null = null;

  constructor(app: App, webhookRef: WebhookRef, options: DeliveryRunOptions) {
    this.#app = app;
    this.#webhookRef = webhookRef;
    this.#options = options;
    this.#leaseHolder = app.ids.uuid();
  }

  async run(): Promise<boolean> {
    for (let steps = 0; steps < runStepsMax; steps += 1) {
      // Unrecorded attempts would be read as not attempted.
      await this.#waitForRecords(0);
      if (this.#isStopped || this.#options.isStopping()) return true;
      const lease = this.#lease();
      this.#lastPauseCheckMs = this.#app.clock.monotonicMs();
      const batch = await leaseNextDeliveryBatch(this.#app, this.#webhookRef, lease);
      if (batch === null) return steps > 0;
      this.#leaseUntilMs = lease.until.getTime();
      this.#isHeld = batch.deliveries.length > 0 || !batch.isLast;
      // Also without deliveries: the cursor has advanced past the events that were read.
      if (!this.#isHeld) return true;
      for (const delivery of batch.deliveries) {
        await this.#waitForRecords(steps < unrecordedAttemptsMax ? 0 : unrecordedAttemptsMax - 1);
        const isLast = batch.isLast && delivery === batch.deliveries.at(-1);
        if (
          !(await this.#canContinue()) ||
          !(await this.#attempt(batch.webhook, delivery, isLast))
        ) {
          return true;
        }
        steps += 1;
      }
    }
    return true;
  }

  /** Throws if an attempt could not be recorded: the delivery is attempted again. */
  async finish(): Promise<void> {
    await Promise.all(this.#pendingRecords);
    if (this.#isHeld) {
      await releaseLease(this.#app.engine.db, leasedWebhook(this.#webhookRef), this.#leaseHolder);
    }
    if (this.#failure) throw this.#failure;
  }

  #lease() {
    const until = new Date(this.#app.clock.now().getTime() + webhookLeaseMs);
    return { holder: this.#leaseHolder, until };
  }

  async #waitForRecords(pendingMax: number): Promise<void> {
    while (this.#pendingRecords.length > pendingMax) await this.#pendingRecords.shift();
  }

  async #canContinue(): Promise<boolean> {
    if (this.#isStopped || this.#options.isStopping() || (await this.#isPaused())) return false;
    const nowMs = this.#app.clock.now().getTime();
    if (this.#leaseUntilMs - nowMs >= attemptTimeoutMs + leaseMarginMs) return true;
    const lease = this.#lease();
    this.#leaseUntilMs = lease.until.getTime();
    return renewLease(this.#app.engine.db, leasedActiveWebhook(this.#webhookRef), lease);
  }

  async #isPaused(): Promise<boolean> {
    const nowMs = this.#app.clock.monotonicMs();
    if (nowMs - this.#lastPauseCheckMs < pauseCheckMs) return false;
    if (!(await canAccountSend(this.#app.engine.db, this.#webhookRef.accountId))) return true;
    this.#lastPauseCheckMs = nowMs;
    return false;
  }

  /** False if the run is over. */
  async #attempt(
    webhook: WebhookRecord,
    delivery: DeliveryRecord,
    isLast: boolean,
  ): Promise<boolean> {
    const { signal, slot } = this.#options;
    const releases = isLast ? this.#leaseHolder : null;
    const delivered = await attemptDelivery(this.#app, webhook, delivery, { signal, releases });
    if (delivered === null) return false;
    const { attempt, recorded } = delivered;
    this.#pendingRecords.push(this.#applyRecord(recorded, webhook, isLast));
    return slot.setFailing(attempt.error !== null);
  }

  async #applyRecord(
    recorded: Promise<WebhookState | null>,
    webhook: WebhookRecord,
    isLast: boolean,
  ): Promise<void> {
    try {
      const after = await recorded;
      if (isLast && after !== null) this.#isHeld = false;
      // After a change of the webhook, the next run sends with the new settings or not at all.
      const isSame = after?.is_active === true && after.revision === webhook.revision;
      if (!isSame || isLast) this.#isStopped = true;
    } catch (error) {
      this.#isStopped = true;
      this.#failure = error as Error;
    }
  }
}
