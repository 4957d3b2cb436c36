import { logFailure } from '../../database/index.ts';
import { EventConsumer } from '../../events/event-consumer.ts';
import { BackgroundThrottle } from '../../jobs/background-throttle.ts';
import { BatchFailures } from '../../jobs/batch-failures.ts';
import { withTrace } from '../../kernel/tracing.ts';
import type { App } from '../ctx.ts';
import { processNextExtractionBatch, relevantEventTypes } from './process-batch.ts';
import { findAccountsToExtract, hasEventsToExtract } from './store/extraction-cursors.ts';

/** Delay after a commit: memories created together are extracted together. */
const wakeMs = 100;
const accountsMax = 1_000;
/** Memories per batch. */
const batchMemories = 50;

/**
 * Extracts entities and facts from memories in the background. Any number of processes may run it;
 * leases prevent two from processing one account.
 */
export class ExtractionWorker implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  readonly #failures = new BatchFailures();
  readonly #consumer: EventConsumer;
  readonly #throttle: BackgroundThrottle;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#throttle = new BackgroundThrottle(app, 'extraction');
    this.#consumer = new EventConsumer(app, {
      name: 'extraction',
      wakeDelayMs: wakeMs,
      poll: () => this.#processAll(),
      concerns: ({ types }) => relevantEventTypes.some((type) => types.has(type)),
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
  drain(): Promise<void> {
    return this.#throttle.turnOffDuring(() => this.#consumer.poll());
  }

  #processAll(): Promise<void> {
    const { engine, clock } = this.#app;
    return this.#consumer.processInRounds(
      {
        find: () => findAccountsToExtract(engine.db, clock.now(), accountsMax),
        has: (accountId) => hasEventsToExtract(engine.db, accountId, clock.now()),
      },
      (accountId) => this.#processAccount(accountId),
    );
  }

  /** After a failure memory by memory, to isolate the failing one; returns whether it succeeded. */
  async #processAccount(accountId: string): Promise<boolean> {
    const plan = this.#failures.plan(accountId);
    const count = plan.isSingle ? 1 : batchMemories;
    const signal = this.#consumer.stopping;
    const throttle = (tookMs: number): Promise<void> => this.#throttle.pause(tookMs, signal);
    try {
      const options = {
        holder: this.#holder,
        count,
        skipExtraction: plan.skip,
        signal,
        throttle,
      };
      const hasMore = await withTrace(this.#app, 'extraction', {}, () =>
        processNextExtractionBatch(this.#app, accountId, options),
      );
      this.#failures.succeeded(accountId, plan, hasMore);
      return true;
    } catch (error) {
      logFailure(this.#app.log, error, 'extraction batch failed', { account: accountId });
      this.#failures.failed(accountId, error);
      return false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#consumer.stop();
  }
}
