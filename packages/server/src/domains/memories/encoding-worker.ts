import { EventConsumer } from '../../events/event-consumer.ts';
import { BackgroundThrottle } from '../../jobs/background-throttle.ts';
import { BatchFailures } from '../../jobs/batch-failures.ts';
import { AppError } from '../../kernel/errors.ts';
import { LeaseLost } from '../../kernel/lease.ts';
import { withTrace } from '../../kernel/tracing.ts';
import { type App, systemCtx } from '../ctx.ts';
import { accountsToEncode, hasTextsToEncode, leaseEncoding } from '../search-index/index.ts';
import { encodeNextMemories } from './encode.ts';

/** Delay after a commit: memories created together are encoded together. */
const wakeMs = 20;
const accountsMax = 1_000;
const batchMemories = 32;
/** An account is encoded for so long before others have their turn. */
const turnMs = 1_000;

/**
 * Encodes memories in the background: their vectors are approximations at first, and passages of
 * long ones have none. Any number of processes may run it; leases prevent two from encoding one
 * account.
 */
export class EncodingWorker implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  readonly #failures = new BatchFailures();
  readonly #consumer: EventConsumer;
  readonly #throttle: BackgroundThrottle;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#throttle = new BackgroundThrottle(app, 'encoding');
    this.#consumer = new EventConsumer(app, {
      name: 'encoding',
      wakeDelayMs: wakeMs,
      poll: () => this.#encodeAll(),
      concerns: ({ hasDocuments }) => hasDocuments,
    });
  }

  start(): void {
    this.#consumer.start();
  }

  /** Encodes everything that is pending, without throttling. */
  drain(): Promise<void> {
    return this.#throttle.turnOffDuring(() => this.#consumer.poll());
  }

  #encodeAll(): Promise<void> {
    return this.#consumer.processInRounds(
      {
        find: () => accountsToEncode(this.#app, accountsMax),
        has: (accountId) => hasTextsToEncode(this.#app, accountId),
      },
      (accountId) => this.#encodeAccount(accountId),
    );
  }

  /** Returns whether it encoded something. */
  async #encodeAccount(accountId: string): Promise<boolean> {
    const { clock, log } = this.#app;
    const ctx = systemCtx(this.#app, accountId);
    try {
      await using lease = await leaseEncoding(this.#app, accountId, this.#holder);
      if (lease === null) return false;
      const signal = AbortSignal.any([this.#consumer.stopping, lease.lost]);
      const endMs = clock.monotonicMs() + turnMs;
      let hasEncoded = false;
      for (let isMore = true; isMore && !signal.aborted; ) {
        const plan = this.#failures.plan(accountId);
        const limit = plan.isSingle ? 1 : batchMemories;
        // Long texts take seconds together: a stop does not wait for them.
        const throttle = (tookMs: number): Promise<void> => this.#throttle.pause(tookMs, signal);
        const control = { signal, throttle };
        const count = await withTrace(ctx, 'encoding', {}, () =>
          encodeNextMemories(ctx, { limit, skip: plan.skip, ...control }),
        );
        this.#failures.succeeded(accountId, plan, count === limit);
        hasEncoded ||= count > 0;
        isMore = count === limit && clock.monotonicMs() < endMs;
      }
      return hasEncoded;
    } catch (error) {
      if (this.#consumer.stopping.aborted || error instanceof LeaseLost) return false;
      log.error({ err: error, account: accountId }, 'encoding batch failed');
      // Not caused by a memory: the model is unavailable, or another process has the lease.
      const isModelFailure = error instanceof AppError && error.code === 'embedding_failed';
      if (!isModelFailure) this.#failures.failed(accountId, error);
      return false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#consumer.stop();
  }
}
