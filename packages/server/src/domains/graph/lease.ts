import type { App } from '../ctx.ts';
import { releaseExtractionLease, renewExtractionLease } from './store/extraction-cursors.ts';

/** How long others wait for a process that stopped without releasing its lease. */
const leaseMs = 15_000;
const renewMs = 5_000;

/** Another process has acquired the lease of the account. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export const leaseExpiry = ({ clock }: App): Date => new Date(clock.now().getTime() + leaseMs);

/**
 * The exclusive right to extract an account, renewed while a batch runs: a model may take minutes.
 * A batch that releases it in its own transaction calls `markReleased`; otherwise it is released on
 * disposal.
 */
export class ExtractionLease implements AsyncDisposable {
  readonly #app: App;
  readonly #accountId: string;
  readonly #holder: string;
  readonly #lost = new AbortController();
  #timer: Disposable | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #isDisposed = false;
  #isReleased = false;

  constructor(app: App, accountId: string, holder: string) {
    this.#app = app;
    this.#accountId = accountId;
    this.#holder = holder;
    this.#scheduleRenewal();
  }

  /** Aborted when another process acquires the lease. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** The transaction that advanced the cursor has released the lease. */
  markReleased(): void {
    this.#isReleased = true;
  }

  #scheduleRenewal(): void {
    this.#timer = this.#app.clock.after(renewMs, () => {
      this.#renewal = this.#renew();
    });
  }

  async #renew(): Promise<void> {
    const { engine, log } = this.#app;
    try {
      const lease = { holder: this.#holder, until: leaseExpiry(this.#app) };
      const isKept = await renewExtractionLease(engine.db, this.#accountId, lease);
      if (!isKept && !this.#isDisposed) this.#lost.abort(new LeaseLost());
    } catch (error) {
      log.warn({ err: error }, 'extraction lease renewal failed; retrying');
    }
    if (!this.#isDisposed) this.#scheduleRenewal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#timer?.[Symbol.dispose]();
    await this.#renewal;
    if (this.#isReleased) return;
    try {
      await releaseExtractionLease(this.#app.engine.db, this.#accountId, this.#holder);
    } catch (error) {
      this.#app.log.warn({ err: error }, 'extraction lease release failed; it will expire');
    }
  }
}
