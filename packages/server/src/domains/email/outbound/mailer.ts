import { eventNotifier, mailNotifier } from '../../../events/commit-notifier.ts';
import { Poller } from '../../../jobs/poller.ts';
import type { App } from '../../ctx.ts';
import { processReactions } from '../reactions/react.ts';
import { findAccountsWithPendingEvents, hasActiveReaction } from '../reactions/store.ts';
import { attemptDelivery, leaseMs } from './attempt.ts';
import { acquireDueMail, type OutboundMailRecord } from './store.ts';

/** After a commit: what comes together is looked at together. */
const wakeMs = 50;
/** On their way at the same time: one that is slow holds up few others. */
const deliveriesMax = 4;
/** Of the time for a stop, what is left to give attempts up and to close. */
const stopTimeoutShare = 0.8;

/**
 * Writes what reactions say and sends all mail that is due: a loop beside the job worker. As many
 * processes as there are may do so; locks keep them from each other's reactions, leases from each
 * other's mails.
 */
export class Mailer implements AsyncDisposable {
  readonly #app: App;
  readonly #aborting = new AbortController();
  readonly #subscriptions = new DisposableStack();
  /** Each sends one mail after the other. */
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

  /** Writes and sends everything that is due now. */
  async drain(): Promise<void> {
    await this.#poller.poll();
    while (!this.#startDelivery()) await Promise.race(this.#deliveries);
    await this.#waitForDeliveries();
  }

  /** Begins nothing more, and gives up what is still under way after a while. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    this.#subscriptions[Symbol.dispose]();
    const patienceMs = this.#app.config.shutdownSeconds * 1_000 * stopTimeoutShare;
    using _patience = this.#app.clock.after(patienceMs, () => this.#aborting.abort());
    await this.#poller.stop();
    await this.#waitForDeliveries();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** What could not be recorded would be done again and again. */
  #canContinue(): boolean {
    return !this.#isStopping && this.#app.engine.canWrite;
  }

  /** What reactions say first, so that it goes out with what is due. */
  async #poll(): Promise<void> {
    await this.#react();
    this.#startDelivery();
  }

  /** Until nothing is untold, or what is left fails. */
  async #react(): Promise<void> {
    try {
      if (!this.#canContinue()) return;
      this.#hasReactions = await hasActiveReaction(this.#app.engine.db);
      while (this.#hasReactions && this.#canContinue() && (await this.#reactRound()));
    } catch (error) {
      this.#app.log.error({ err: error }, 'reactions could not be looked at');
    }
  }

  /** A pass of each account in turn, so that none waits for all of another; whether any went. */
  async #reactRound(): Promise<boolean> {
    let isAnyTold = false;
    for (const accountId of await findAccountsWithPendingEvents(this.#app.engine.db)) {
      if (!this.#canContinue()) return false;
      try {
        isAnyTold = (await processReactions(this.#app, accountId)) || isAnyTold;
      } catch (error) {
        this.#app.log.error({ err: error, account: accountId }, 'reactions were not written');
      }
    }
    return isAnyTold;
  }

  /** In a lane of its own, so that none waits for a slow one; false where none is free. */
  #startDelivery(): boolean {
    if (this.#deliveries.size === deliveriesMax) return false;
    const lane = this.#deliverDue().finally(() => this.#deliveries.delete(lane));
    this.#deliveries.add(lane);
    return true;
  }

  /** One mail after the other, until none is due; others beside it where there is one. */
  async #deliverDue(): Promise<void> {
    try {
      for (let mail = await this.#acquireDueMail(); mail; mail = await this.#acquireDueMail()) {
        this.#startDelivery();
        await attemptDelivery(this.#app, mail, this.#aborting.signal);
      }
    } catch (error) {
      this.#app.log.error({ err: error }, 'what became of a mail could not be recorded');
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
      this.#app.log.error({ err: error }, 'mail that is due could not be looked at');
      return undefined;
    }
  }
}
