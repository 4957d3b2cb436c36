import { logFailure } from '../../../database/index.ts';
import { EventConsumer } from '../../../events/event-consumer.ts';
import type { App } from '../../ctx.ts';
import { findWebhook } from '../store/webhooks.ts';
import { type AttemptSlot, AttemptSlots } from './attempt-slots.ts';
import { attemptDelivery } from './deliver.ts';
import { type WebhookRef, webhookLeaseMs } from './model.ts';
import { runOrderedDeliveries } from './ordered-deliveries.ts';
import { findDueRetries, leaseRetry, releaseDeliveryLease } from './store/deliveries.ts';
import { findWaitingWebhooks, hasActiveWebhooks } from './store/ordered-deliveries.ts';

/** Delay after a commit, so that several commits share one poll. */
const wakeMs = 20;
/** Per webhook, in addition to its first attempts, so that other webhooks' retries get slots. */
const retriesMax = 4;
/** Share of the shutdown time after which attempts are aborted; the rest is for closing. */
const abortShare = 0.8;

/**
 * Sends events to webhooks: a loop next to the job worker. Several processes may send
 * concurrently; leases prevent duplicate first attempts.
 */
export class WebhookSender implements AsyncDisposable {
  readonly #app: App;
  readonly #slots: AttemptSlots;
  readonly #running = new Set<Promise<boolean>>();
  /** Webhooks with a run in progress. */
  readonly #activeWebhooks = new Set<string>();
  /** Number of running retries by webhook. */
  readonly #retries = new Map<string, number>();
  readonly #aborting = new AbortController();
  readonly #consumer: EventConsumer;
  #anyActive = true;
  #stopped: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#slots = new AttemptSlots(app.config.webhooks.concurrency);
    this.#consumer = new EventConsumer(app, {
      name: 'webhook',
      wakeDelayMs: wakeMs,
      poll: () => this.#poll(),
      isIdle: () => !this.#anyActive,
    });
  }

  start(): void {
    this.#consumer.start();
  }

  /** Polls early, because something may be due. */
  wake(): void {
    if (this.#anyActive) this.#consumer.wake();
  }

  /** Sends everything that is due now. */
  async drain(): Promise<void> {
    for (let hasMore = true; hasMore && !this.#consumer.stopping.aborted; ) {
      await this.#consumer.poll();
      const done = await Promise.all(this.#running);
      hasMore = done.some(Boolean);
    }
  }

  /** Starts no further attempts, and aborts running ones after a timeout. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const abortMs = this.#app.config.shutdownSeconds * 1_000 * abortShare;
    const abortTimer = this.#app.clock.after(abortMs, () => this.#aborting.abort());
    await this.#consumer.stop();
    await Promise.all(this.#running);
    abortTimer[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Runs one at a time, so that free slots are not counted twice. */
  async #poll(): Promise<void> {
    this.#anyActive = await hasActiveWebhooks(this.#app.engine.db);
    if (!this.#anyActive) return;
    // Half of the free slots, so that neither retries nor first attempts starve.
    await this.#startRetries(Math.ceil(this.#slots.free / 2));
    await this.#startRuns();
    await this.#startRetries(this.#slots.free);
  }

  async #startRuns(): Promise<void> {
    const { free, freeForFailing } = this.#slots;
    if (free === 0) return this.#consumer.share();
    const waitingWebhooks = await findWaitingWebhooks(this.#app.engine.db, {
      now: this.#app.clock.now(),
      except: [...this.#activeWebhooks],
      healthy: free,
      failing: freeForFailing,
    });
    if (waitingWebhooks.length >= free) this.#consumer.share();
    for (const { failing, ...webhookRef } of waitingWebhooks) {
      const slot = this.#slots.acquire(failing);
      if (slot === null) continue;
      this.#activeWebhooks.add(webhookRef.webhookId);
      this.#run(webhookRef, slot, async () => {
        try {
          return await runOrderedDeliveries(this.#app, webhookRef, {
            slot,
            isStopping: () => this.#consumer.stopping.aborted,
            signal: this.#aborting.signal,
          });
        } finally {
          this.#activeWebhooks.delete(webhookRef.webhookId);
        }
      });
    }
  }

  async #startRetries(limit: number): Promise<void> {
    const { free, freeForFailing } = this.#slots;
    if (Math.min(limit, free) === 0) return;
    const full = [...this.#retries].filter(([, count]) => count >= retriesMax).map(([id]) => id);
    const due = await findDueRetries(this.#app.engine.db, {
      now: this.#app.clock.now(),
      except: full,
      failing: freeForFailing > 0,
      limit: limit * retriesMax,
    });
    let started = 0;
    for (const { failing, number, ...webhookRef } of due) {
      const running = this.#retries.get(webhookRef.webhookId) ?? 0;
      if (started >= limit || running >= retriesMax) continue;
      const slot = this.#slots.acquire(failing);
      if (slot === null) continue;
      started += 1;
      this.#retries.set(webhookRef.webhookId, running + 1);
      this.#run(webhookRef, slot, async () => {
        try {
          return await this.#retry(webhookRef, number);
        } finally {
          const remaining = (this.#retries.get(webhookRef.webhookId) ?? 1) - 1;
          if (remaining > 0) this.#retries.set(webhookRef.webhookId, remaining);
          else this.#retries.delete(webhookRef.webhookId);
        }
      });
    }
    if (due.length > started) this.#consumer.share();
  }

  async #retry(webhookRef: WebhookRef, number: number): Promise<boolean> {
    const { clock, engine } = this.#app;
    const now = clock.now();
    const until = new Date(now.getTime() + webhookLeaseMs);
    const delivery = await leaseRetry(engine.db, webhookRef, number, { now, until });
    if (!delivery) return false;
    const webhook = await findWebhook(engine.db, webhookRef.accountId, webhookRef.webhookId);
    const { signal } = this.#aborting;
    const delivered = webhook?.is_active
      ? await attemptDelivery(this.#app, webhook, delivery, { signal })
      : null;
    if (delivered === null) await releaseDeliveryLease(engine.db, webhookRef, number, until);
    await delivered?.recorded;
    return delivered !== null;
  }

  #run(webhookRef: WebhookRef, slot: AttemptSlot, work: () => Promise<boolean>): void {
    const task = work()
      .catch((error: unknown) => {
        const fields = { webhook: webhookRef.webhookId };
        logFailure(this.#app.log, error, 'webhook delivery failed', fields);
        return false;
      })
      .finally(() => {
        slot.release();
        this.#running.delete(task);
      })
      .then((done) => {
        if (done) this.wake();
        return done;
      });
    this.#running.add(task);
  }
}
