import { type Engine, logFailure, SharedPoller } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { AppLifetime } from '../kernel/per-app.ts';
import { type CommittedChanges, eventNotifier } from './commit-notifier.ts';

const pollMs = 1_000;
/** On a distributed database all accounts are searched no more often after commits. */
const searchIntervalMs = 1_000;
/** Beyond so many accounts, one search of all costs less than one of each. */
const recentMax = 8;

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
  /** Whether there may be something to do after a commit; left out: after each with events. */
  concerns?(changes: CommittedChanges): boolean;
}

/** How a consumer finds accounts with something pending. */
export interface PendingAccounts {
  /** Of all accounts. On a distributed database this is a query of each shard. */
  find(): Promise<readonly string[]>;
  /** Left out: its events say nothing about what is pending. */
  has?(accountId: string): Promise<boolean>;
}

/**
 * Runs a consumer of the outbox: polls shortly after commits of this process that concern it, or
 * lets another process poll if this one is busy; one process also polls every second. Several
 * processes may run the same consumer; leases or row locks on the rows with the cursors
 * (event-cursor.ts) keep them apart.
 */
export class EventConsumer {
  readonly #deps: ConsumerDeps;
  readonly #options: EventConsumerOptions;
  readonly #poller: SharedPoller;
  readonly #subscription: Disposable;
  readonly #stopping = new AbortController();
  #lastPollMs = Number.NEGATIVE_INFINITY;
  #lastSearchMs = Number.NEGATIVE_INFINITY;
  /** Accounts of which this process has committed events since the last search. */
  #recent = new Set<string>();
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
    this.#subscription = eventNotifier.of(deps).subscribe((accountIds, changes) => {
      if (options.isIdle?.()) return this.#onEventWhileIdle();
      if (changes !== null && options.concerns?.(changes) === false) return;
      for (const accountId of accountIds) {
        if (this.#recent.size <= recentMax) this.#recent.add(accountId);
      }
      this.wake();
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

  /** Polls once more, after a running poll, and searches all accounts. */
  poll(): Promise<void> {
    this.#lastSearchMs = Number.NEGATIVE_INFINITY;
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
   * @param pending finds accounts with something to do
   * @param process returns whether there was anything to do; it logs its own errors
   */
  async processInRounds(
    pending: PendingAccounts,
    process: (accountId: string) => Promise<boolean>,
  ): Promise<void> {
    const findAccounts = this.#chooseSearch(pending);
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
   * On a distributed database a search of all accounts would follow each commit, on each shard. In
   * between, only the accounts of the commits are looked at.
   */
  #chooseSearch({ find, has }: PendingAccounts): PendingAccounts['find'] {
    const { clock, engine } = this.#deps;
    const recent = this.#recent;
    this.#recent = new Set();
    const nowMs = clock.monotonicMs();
    const isRecentEnough = recent.size > 0 && recent.size <= recentMax;
    const wasSearched = nowMs - this.#lastSearchMs < searchIntervalMs;
    if (has && engine.isDistributed && isRecentEnough && wasSearched) {
      return async () => {
        const found: string[] = [];
        for (const accountId of recent) if (await has(accountId)) found.push(accountId);
        return found;
      };
    }
    this.#lastSearchMs = nowMs;
    return find;
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
