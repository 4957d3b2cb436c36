import { isStorageError } from '../../database/index.ts';
import { EventConsumer } from '../../events/event-consumer.ts';
import { throttleBackgroundWork } from '../../jobs/background-throttle.ts';
import type { App } from '../ctx.ts';
import { processNextExtractionBatch } from './process-batch.ts';
import { findAccountsToExtract } from './store/extraction-cursors.ts';

/** Delay after a commit: memories created together are extracted together. */
const wakeMs = 100;
const accountsMax = 1_000;
/** Memories per batch. */
const batchMemories = 50;
/** After this many failed writes a memory is skipped. */
const failuresMax = 3;

/**
 * Extracts entities and facts from memories in the background. Any number of processes may run it;
 * leases prevent two from processing one account.
 */
export class ExtractionWorker implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  /** By account: failures since the last success. */
  readonly #failures = new Map<string, number>();
  readonly #consumer: EventConsumer;
  /** Aborted while a caller waits for `drain`: the throttle is off then. */
  #drainAbort = new AbortController();
  #activeDrains = 0;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#consumer = new EventConsumer(app, {
      name: 'extraction',
      wakeDelayMs: wakeMs,
      poll: () => this.#processAll(),
    });
  }

  start(): void {
    this.#consumer.start();
  }

  /** Stops the background processing; only `drain` still processes. */
  pause(): void {
    this.#consumer.pause();
  }

  /** Processes everything that is pending, without throttling. */
  async drain(): Promise<void> {
    this.#activeDrains += 1;
    this.#drainAbort.abort();
    try {
      await this.#consumer.poll();
    } finally {
      this.#activeDrains -= 1;
      if (this.#activeDrains === 0) this.#drainAbort = new AbortController();
    }
  }

  #processAll(): Promise<void> {
    const { engine, clock } = this.#app;
    return this.#consumer.processInRounds(
      () => findAccountsToExtract(engine.db, clock.now(), accountsMax),
      (accountId) => this.#processAccount(accountId),
    );
  }

  /** After a failure memory by memory, to isolate the failing one; returns whether it succeeded. */
  async #processAccount(accountId: string): Promise<boolean> {
    const failures = this.#failures.get(accountId) ?? 0;
    const skipExtraction = failures >= failuresMax;
    const count = failures === 0 ? batchMemories : 1;
    const signal = this.#consumer.stopping;
    const throttle = (tookMs: number): Promise<void> => {
      const skipThrottle = AbortSignal.any([signal, this.#drainAbort.signal]);
      return throttleBackgroundWork(this.#app, tookMs, skipThrottle);
    };
    try {
      const options = { holder: this.#holder, count, skipExtraction, signal, throttle };
      const hasMore = await processNextExtractionBatch(this.#app, accountId, options);
      if (skipExtraction || !hasMore) this.#failures.delete(accountId);
      // The next one has failed only together with the others so far, not alone.
      else if (failures > 1) this.#failures.set(accountId, 1);
      return true;
    } catch (error) {
      const context = { err: error, account: accountId };
      this.#app.log.error(context, 'extraction batch failed');
      // Storage errors are not caused by a memory.
      if (!isStorageError(error)) this.#failures.set(accountId, failures + 1);
      return false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#consumer.stop();
  }
}
