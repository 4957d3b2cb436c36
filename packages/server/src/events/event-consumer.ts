import { type Engine, logFailure, SharedPoller } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { AppLifetime } from '../kernel/per-app.ts';
import { eventNotifier } from './commit-notifier.ts';

const pollMs = 1_000;

interface ConsumerDeps extends AppLifetime {
  readonly clock: Clock;
  readonly engine: Engine;
  readonly log: Log;
}

export interface EventConsumerOptions {
  /** Names the consumer in log messages, `webhook poll failed`, and in other processes. */
  readonly name: string;
  /** Delay after a commit, so that commits in quick succession cause one poll. */
  readonly wakeDelayMs: number;
  /** Finds and processes what is pending, of all accounts. */
  poll(): Promise<void>;
  /** Whether events can be ignored, because no account has something to do with them. */
  isIdle?(): boolean;
}

/**
 * Runs a consumer of the outbox: polls shortly after each commit of this process, or lets another
 * process poll if this one is busy; one process also polls every second. Several processes may run
 * the same consumer; leases or row locks on the rows with the cursors (event-cursor.ts) keep them
 * apart.
 */
export class EventConsumer {
  readonly #deps: ConsumerDeps;
  readonly #options: EventConsumerOptions;
  readonly #poller: SharedPoller;
  readonly #subscription: Disposable;
  readonly #stopping = new AbortController();
  #lastPollMs = Number.NEGATIVE_INFINITY;
  #idleTimer: Disposable | undefined;

  constructor(deps: ConsumerDeps, options: EventConsumerOptions) {
    const { wakeDelayMs } = options;
    this.#deps = deps;
    this.#options = options;
    this.#poller = new SharedPoller(deps, {
      topic: options.name,
      intervalMs: pollMs,
      wakeDelayMs,
      poll: () => this.#poll(),
    });
    this.#subscription = eventNotifier.of(deps).subscribe(() => {
      if (options.isIdle?.()) this.#onEventWhileIdle();
      else this.wake();
    });
  }

  /** Aborted when no further work may begin. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** False when stopping, and while results cannot be recorded: work would be repeated. */
  get canContinue(): boolean {
    return !this.stopping.aborted && this.#deps.engine.canWrite;
  }

  start(): void {
    this.#poller.start();
  }

  /** Stops polling until the next `start`, except by `poll`. */
  pause(): void {
    this.#poller.pause();
  }

  /** Polls soon, because something may be pending; another process does so if this one is busy. */
  wake(): void {
    this.#poller.wake();
    if (this.#poller.isBusy) this.#poller.share();
  }

  /** There is more than this process can begin now: others poll as well. */
  share(): void {
    this.#poller.share();
  }

  /** Polls once more, after a running poll. */
  poll(): Promise<void> {
    return this.#poller.poll();
  }

  /** Begins no further work; resolves when the running poll has ended. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#idleTimer?.[Symbol.dispose]();
    this.#subscription[Symbol.dispose]();
    return this.#poller.stop();
  }

  /**
   * Processes one batch per account in turn, so that none waits for another's backlog, until no
   * account has pending events or those of the remaining ones fail.
   * @param process returns whether there was anything to do; it logs its own errors
   */
  async processInRounds(
    findAccounts: () => Promise<readonly string[]>,
    process: (accountId: string) => Promise<boolean>,
  ): Promise<void> {
    for (let hasProcessed = true; hasProcessed; ) {
      hasProcessed = false;
      if (!this.canContinue) return;
      const accountIds = await findAccounts();
      if (accountIds.length > 1) this.#poller.shareIfLeader();
      for (const accountId of accountIds) {
        if (!this.canContinue) return;
        hasProcessed = (await process(accountId)) || hasProcessed;
      }
    }
  }

  /**
   * Whether events can be ignored is as of the last poll. Who polls each second finds out soon
   * enough; a follower then polls, at most once a second.
   */
  #onEventWhileIdle(): void {
    const { clock, engine } = this.#deps;
    if (engine.processes.role !== 'follower' || this.#idleTimer) return;
    const waitMs = Math.max(0, this.#lastPollMs + pollMs - clock.monotonicMs());
    this.#idleTimer = clock.after(waitMs, () => {
      this.#idleTimer = undefined;
      this.#poller.wake();
    });
  }

  async #poll(): Promise<void> {
    if (!this.canContinue) return;
    this.#lastPollMs = this.#deps.clock.monotonicMs();
    try {
      await this.#options.poll();
    } catch (error) {
      logFailure(this.#deps.log, error, `${this.#options.name} poll failed`);
    }
  }
}
