import { eventNotifier, mailNotifier } from '../../../events/commit-notifier.ts';
import { Poller } from '../../../jobs/poller.ts';
import type { App } from '../../ctx.ts';
import { processReactions } from '../reactions/react.ts';
import { findAccountsWithPendingEvents, hasActiveReaction } from '../reactions/store/reactions.ts';
import { attemptDelivery, leaseMs } from './attempt.ts';
import { acquireDueMail, type OutboundMailRecord } from './store/outbound-mails.ts';

/** Delay after a commit, so that commits in quick succession cause one poll. */
const wakeMs = 50;
/** Concurrent deliveries, so that a slow server delays few mails. */
const deliveriesMax = 4;
/** The share of the shutdown time after which running deliveries are aborted. */
const stopTimeoutShare = 0.8;

/**
 * Processes reactions and sends due mail, independently of the job worker. Several processes can
 * run it: row locks separate their reactions, and leases separate their mails.
 */
export class Mailer implements AsyncDisposable {
  readonly #app: App;
  readonly #aborting = new AbortController();
  readonly #subscriptions = new DisposableStack();
  /** Each sends mails sequentially. */
  readonly #deliveries = new Set<Promise<void>>();
  readonly #poller: Poller;
  #isStopping = false;
  #hasReactions = true;
  #stopped: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#poller = new Poller(app.clock, { wakeDelayMs: wakeMs, poll: () => this.#poll() });
    const onEvents = (): void => {
      if (this.#hasReactions) this.#poller.wake();
    };
    this.#subscriptions.use(eventNotifier.of(app).subscribe(onEvents));
    this.#subscriptions.use(mailNotifier.of(app).subscribe(() => this.#poller.wake()));
  }

  start(): void {
    this.#poller.start();
  }

  /** Processes all pending reactions and sends all due mail. */
  async drain(): Promise<void> {
    await this.#poller.poll();
    while (!this.#startDelivery()) await Promise.race(this.#deliveries);
    await this.#waitForDeliveries();
  }

  /** Starts no new work, and aborts running deliveries after a timeout. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    this.#subscriptions[Symbol.dispose]();
    const timeoutMs = this.#app.config.shutdownSeconds * 1_000 * stopTimeoutShare;
    using _timer = this.#app.clock.after(timeoutMs, () => this.#aborting.abort());
    await this.#poller.stop();
    await this.#waitForDeliveries();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Without a writable database, outcomes cannot be recorded and mail would be sent repeatedly. */
  #canContinue(): boolean {
    return !this.#isStopping && this.#app.engine.canWrite;
  }

  /** Processes reactions first, so that their mail is sent in the same poll. */
  async #poll(): Promise<void> {
    await this.#react();
    this.#startDelivery();
  }

  /** Repeats until no events are pending or the remaining ones fail. */
  async #react(): Promise<void> {
    try {
      if (!this.#canContinue()) return;
      this.#hasReactions = await hasActiveReaction(this.#app.engine.db);
      while (this.#hasReactions && this.#canContinue() && (await this.#reactRound()));
    } catch (error) {
      this.#app.log.error({ err: error }, 'reaction processing failed');
    }
  }

  /** Processes one batch per account, for fairness. Returns whether any account had events. */
  async #reactRound(): Promise<boolean> {
    let hasProcessed = false;
    for (const accountId of await findAccountsWithPendingEvents(this.#app.engine.db)) {
      if (!this.#canContinue()) return false;
      try {
        hasProcessed = (await processReactions(this.#app, accountId)) || hasProcessed;
      } catch (error) {
        this.#app.log.error({ err: error, account: accountId }, 'reaction processing failed');
      }
    }
    return hasProcessed;
  }

  /** Starts a concurrent delivery; false if the limit is reached. */
  #startDelivery(): boolean {
    if (this.#deliveries.size === deliveriesMax) return false;
    const delivery = this.#deliverDue().finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
    return true;
  }

  /** Sends due mails until none is left; starts another delivery for each mail found. */
  async #deliverDue(): Promise<void> {
    try {
      for (let mail = await this.#acquireDueMail(); mail; mail = await this.#acquireDueMail()) {
        this.#startDelivery();
        await attemptDelivery(this.#app, mail, this.#aborting.signal);
      }
    } catch (error) {
      this.#app.log.error({ err: error }, 'mail outcome recording failed');
    }
  }

  async #waitForDeliveries(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  async #acquireDueMail(): Promise<OutboundMailRecord | undefined> {
    if (!this.#canContinue()) return undefined;
    const now = this.#app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    try {
      return await acquireDueMail(this.#app.engine.db, { now, until });
    } catch (error) {
      this.#app.log.error({ err: error }, 'due mail query failed');
      return undefined;
    }
  }
}
