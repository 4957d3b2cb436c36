import type { App } from '../ctx.ts';
import { releaseExtractionLease, renewExtractionLease } from './store/extraction-cursors.ts';

/** Whoever reads an account, and is gone without a word, is waited for so long. */
const leaseMs = 15_000;
const renewMs = 5_000;

/** Another process reads the account by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export const leaseExpiry = ({ clock }: App): Date => new Date(clock.now().getTime() + leaseMs);

/**
 * The right to read an account, renewed for as long as a pass takes: a model may take minutes. A
 * pass that ends it in its own transaction says so; else it is given back at the end.
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

  /** Aborted once another process reads. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** It was given back by who moved the account's place. */
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
      log.warn({ err: error }, 'the reading of an account could not be kept; tried again');
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
      this.#app.log.warn({ err: error }, 'the reading of an account runs out by itself');
    }
  }
}
