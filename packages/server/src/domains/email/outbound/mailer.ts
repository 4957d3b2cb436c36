import { logFailure } from '../../../database/index.ts';
import { mailNotifier } from '../../../events/commit-notifier.ts';
import { EventConsumer } from '../../../events/event-consumer.ts';
import type { App } from '../../ctx.ts';
import { processReactions } from '../reactions/react.ts';
import { findAccountsWithPendingEvents, hasActiveReaction } from '../reactions/store/reactions.ts';
import { attemptDelivery, mailLeaseMs } from './attempt.ts';
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
  readonly #mailSubscription: Disposable;
  /** Each sends mails sequentially. */
  readonly #deliveries = new Set<Promise<void>>();
  readonly #consumer: EventConsumer;
  #hasReactions = true;
  #stopped: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#consumer = new EventConsumer(app, {
      name: 'mail',
      wakeDelayMs: wakeMs,
      poll: () => this.#poll(),
      isIdle: () => !this.#hasReactions,
    });
    this.#mailSubscription = mailNotifier.of(app).subscribe(() => this.#consumer.wake());
  }

  start(): void {
    this.#consumer.start();
  }

  /** Processes all pending reactions and sends all due mail. */
  async drain(): Promise<void> {
    await this.#consumer.poll();
    while (!this.#startDelivery()) await Promise.race(this.#deliveries);
    await this.#waitForDeliveries();
  }

  /** Starts no new work, and aborts running deliveries after a timeout. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#mailSubscription[Symbol.dispose]();
    const timeoutMs = this.#app.config.shutdownSeconds * 1_000 * stopTimeoutShare;
    using _timer = this.#app.clock.after(timeoutMs, () => this.#aborting.abort());
    await this.#consumer.stop();
    await this.#waitForDeliveries();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Processes reactions first, so that their mail is sent in the same poll. */
  async #poll(): Promise<void> {
    await this.#react();
    if (!this.#startDelivery()) this.#consumer.share();
  }

  async #react(): Promise<void> {
    const { db } = this.#app.engine;
    try {
      this.#hasReactions = await hasActiveReaction(db);
      if (!this.#hasReactions) return;
      await this.#consumer.processInRounds(
        { find: () => findAccountsWithPendingEvents(db) },
        (accountId) => this.#reactFor(accountId),
      );
    } catch (error) {
      logFailure(this.#app.log, error, 'reaction processing failed');
    }
  }

  async #reactFor(accountId: string): Promise<boolean> {
    try {
      return await processReactions(this.#app, accountId);
    } catch (error) {
      logFailure(this.#app.log, error, 'reaction processing failed', { account: accountId });
      return false;
    }
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
      logFailure(this.#app.log, error, 'mail outcome recording failed');
    }
  }

  async #waitForDeliveries(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  async #acquireDueMail(): Promise<OutboundMailRecord | undefined> {
    if (!this.#consumer.canContinue) return undefined;
    const now = this.#app.clock.now();
    const until = new Date(now.getTime() + mailLeaseMs);
    try {
      return await acquireDueMail(this.#app.engine.db, { now, until });
    } catch (error) {
      logFailure(this.#app.log, error, 'due mail query failed');
      return undefined;
    }
  }
}
