import { eventNotifier } from '../../../events/commit-notifier.ts';
import { Poller } from '../../../jobs/poller.ts';
import type { App } from '../../ctx.ts';
import { findWebhook } from '../store/webhooks.ts';
import { deliver } from './deliver.ts';
import { leaseMs, type WebhookRef } from './model.ts';
import { runOrderedDeliveries } from './ordered-deliveries.ts';
import { type Slot, Slots } from './slots.ts';
import { findDueRetries, leaseRetry, releaseDelivery } from './store/deliveries.ts';
import { findWaitingWebhooks, hasActiveWebhooks } from './store/ordered-deliveries.ts';

/** After a commit: those that come together are looked at together. */
const wakeMs = 20;
/** Beside its first attempts, so that one webhook's retries leave room for others'. */
const retriesMax = 4;
/** Of the time for a stop, what is left to give attempts up and to close. */
const abortShare = 0.8;

/**
 * Tells webhooks what happened: a loop beside the job worker. As many processes as there are may
 * send; leases keep them from each other's first attempts.
 */
export class WebhookSender implements AsyncDisposable {
  readonly #app: App;
  readonly #slots: Slots;
  readonly #running = new Set<Promise<boolean>>();
  /** Webhooks whose turn is under way. */
  readonly #lines = new Set<string>();
  /** By webhook, how many retries are under way. */
  readonly #retries = new Map<string, number>();
  readonly #aborting = new AbortController();
  readonly #listening: Disposable;
  readonly #loop: Poller;
  #isStopping = false;
  #anyActive = true;
  #stopped: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#slots = new Slots(app.config.webhooks.concurrency);
    this.#loop = new Poller(app.clock, { wakeDelayMs: wakeMs, poll: () => this.#look() });
    this.#listening = eventNotifier.of(app).subscribe(() => this.wake());
  }

  start(): void {
    this.#loop.start();
  }

  /** Something may be due before the next look. */
  wake(): void {
    if (this.#anyActive) this.#loop.wake();
  }

  /** Sends everything that is due now. */
  async drain(): Promise<void> {
    for (let goesOn = true; goesOn && !this.#isStopping; ) {
      await this.#loop.poll();
      const done = await Promise.all(this.#running);
      goesOn = done.some(Boolean);
    }
  }

  /** Begins nothing more, and gives up what is still under way after a while. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    this.#listening[Symbol.dispose]();
    const patienceMs = this.#app.config.shutdownSeconds * 1_000 * abortShare;
    const patience = this.#app.clock.after(patienceMs, () => this.#aborting.abort());
    await this.#loop.stop();
    await Promise.all(this.#running);
    patience[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** One after the other, so that none counts a slot that another is about to take. */
  async #look(): Promise<void> {
    // What could not be recorded would be sent again and again.
    if (this.#isStopping || !this.#app.engine.canWrite) return;
    try {
      this.#anyActive = await hasActiveWebhooks(this.#app.engine.db);
      if (!this.#anyActive) return;
      // Half of what is free, so that neither retries nor first attempts wait for the other.
      await this.#startRetries(Math.ceil(this.#slots.free / 2));
      await this.#startLines();
      await this.#startRetries(this.#slots.free);
    } catch (error) {
      this.#app.log.error({ err: error }, 'webhooks could not be looked at');
    }
  }

  async #startLines(): Promise<void> {
    const { free, freeForFailing } = this.#slots;
    if (free === 0) return;
    const waiting = await findWaitingWebhooks(this.#app.engine.db, {
      now: this.#app.clock.now(),
      except: [...this.#lines],
      healthy: free,
      failing: freeForFailing,
    });
    for (const { failing, ...place } of waiting) {
      const slot = this.#slots.acquire(failing);
      if (slot === null) continue;
      this.#lines.add(place.webhookId);
      this.#run(place, slot, async () => {
        try {
          return await runOrderedDeliveries(this.#app, place, {
            slot,
            isStopping: () => this.#isStopping,
            signal: this.#aborting.signal,
          });
        } finally {
          this.#lines.delete(place.webhookId);
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
    let begun = 0;
    for (const { failing, number, ...place } of due) {
      const own = this.#retries.get(place.webhookId) ?? 0;
      if (begun >= limit || own >= retriesMax) continue;
      const slot = this.#slots.acquire(failing);
      if (slot === null) continue;
      begun += 1;
      this.#retries.set(place.webhookId, own + 1);
      this.#run(place, slot, async () => {
        try {
          return await this.#retry(place, number);
        } finally {
          const left = (this.#retries.get(place.webhookId) ?? 1) - 1;
          if (left > 0) this.#retries.set(place.webhookId, left);
          else this.#retries.delete(place.webhookId);
        }
      });
    }
  }

  async #retry(place: WebhookRef, number: number): Promise<boolean> {
    const { clock, engine } = this.#app;
    const now = clock.now();
    const until = new Date(now.getTime() + leaseMs);
    const delivery = await leaseRetry(engine.db, place, number, { now, until });
    if (!delivery) return false;
    const webhook = await findWebhook(engine.db, place.accountId, place.webhookId);
    const { signal } = this.#aborting;
    const delivered = webhook?.is_active
      ? await deliver(this.#app, webhook, delivery, { signal })
      : null;
    if (delivered === null) await releaseDelivery(engine.db, place, number, until);
    await delivered?.recorded;
    return delivered !== null;
  }

  #run(place: WebhookRef, slot: Slot, work: () => Promise<boolean>): void {
    const task = work()
      .catch((error: unknown) => {
        this.#app.log.error({ err: error, webhook: place.webhookId }, 'a webhook was not told');
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
