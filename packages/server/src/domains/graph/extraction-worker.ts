import { isStorageError } from '../../database/index.ts';
import { eventNotifier } from '../../events/commit-notifier.ts';
import { throttleBackgroundWork } from '../../jobs/background-throttle.ts';
import { Poller } from '../../jobs/poller.ts';
import type { App } from '../ctx.ts';
import { processNextBatch } from './process-batch.ts';
import { findAccountsToExtract } from './store/extraction-cursors.ts';

/** After a commit: memories that come together are read together. */
const wakeMs = 100;
const accountsMax = 1_000;
/** Memories that are read in one go. */
const batchMemories = 50;
/** A memory that cannot be written so often is left aside. */
const failuresMax = 3;

/**
 * Reads what memories say, in the background: a loop beside the job worker. As many processes as
 * there are may read; leases keep them from each other's accounts.
 */
export class ExtractionWorker implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  readonly #subscription: Disposable;
  /** By account, how often reading failed since it last went well. */
  readonly #failures = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #poller: Poller;
  /** Aborted while somebody waits for all to be read: nothing rests then. */
  #drainAbort = new AbortController();
  #activeDrains = 0;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#poller = new Poller(app.clock, { wakeDelayMs: wakeMs, poll: () => this.#processAll() });
    this.#subscription = eventNotifier.of(app).subscribe(() => this.#poller.wake());
  }

  start(): void {
    this.#poller.start();
  }

  /** Reads no more by itself, only when it is told to `drain`. */
  pause(): void {
    this.#poller.pause();
  }

  /** Reads everything that is unread now, giving way to nobody. */
  async drain(): Promise<void> {
    this.#activeDrains += 1;
    this.#drainAbort.abort();
    try {
      await this.#poller.poll();
    } finally {
      this.#activeDrains -= 1;
      if (this.#activeDrains === 0) this.#drainAbort = new AbortController();
    }
  }

  /** Until nothing is unread, or what is left fails. */
  async #processAll(): Promise<void> {
    try {
      while (await this.#processRound());
    } catch (error) {
      this.#app.log.error({ err: error }, 'what is unread could not be looked for');
    }
  }

  /** A pass of each account in turn, so that none waits for all of another; whether any went. */
  async #processRound(): Promise<boolean> {
    const { engine, clock } = this.#app;
    // What could not be recorded would be read again and again.
    if (this.#stop.signal.aborted || !engine.canWrite) return false;
    let isAnyRead = false;
    for (const accountId of await findAccountsToExtract(engine.db, clock.now(), accountsMax)) {
      if (this.#stop.signal.aborted) return false;
      isAnyRead = (await this.#processAccount(accountId)) || isAnyRead;
    }
    return isAnyRead;
  }

  /** After a failure memory by memory, to find the one; whether it went well. */
  async #processAccount(accountId: string): Promise<boolean> {
    const failures = this.#failures.get(accountId) ?? 0;
    const skipExtraction = failures >= failuresMax;
    const count = failures === 0 ? batchMemories : 1;
    const { signal } = this.#stop;
    const throttle = (tookMs: number): Promise<void> => {
      const over = AbortSignal.any([signal, this.#drainAbort.signal]);
      return throttleBackgroundWork(this.#app, tookMs, over);
    };
    try {
      const going = { holder: this.#holder, count, skipExtraction, signal, throttle };
      const more = await processNextBatch(this.#app, accountId, going);
      if (skipExtraction || !more) this.#failures.delete(accountId);
      // The next one that fails has failed with the others, and not yet by itself.
      else if (failures > 1) this.#failures.set(accountId, 1);
      return true;
    } catch (error) {
      const context = { err: error, account: accountId };
      this.#app.log.error(context, 'memories could not be read for what they say');
      // What the storage fails is no memory's fault.
      if (!isStorageError(error)) this.#failures.set(accountId, failures + 1);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscription[Symbol.dispose]();
    await this.#poller.stop();
  }
}
