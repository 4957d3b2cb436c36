import { releaseLease, renewLease } from '../../database/index.ts';
import { LeaseLost, LeaseRenewal } from '../../kernel/lease.ts';
import type { App } from '../ctx.ts';
import { leasedCursor } from './store/extraction-cursors.ts';

/** How long others wait for a process that stopped without releasing its lease. */
const leaseMs = 15_000;
const renewMs = 5_000;

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
  readonly #renewal: LeaseRenewal;
  #isReleased = false;

  constructor(app: App, accountId: string, holder: string) {
    this.#app = app;
    this.#accountId = accountId;
    this.#holder = holder;
    this.#renewal = new LeaseRenewal(app.clock, {
      intervalMs: renewMs,
      renew: async () => {
        const lease = { holder, until: leaseExpiry(app) };
        const isKept = await renewLease(app.engine.db, leasedCursor(accountId), lease);
        if (!isKept && !this.#isReleased) throw new LeaseLost();
      },
      onError: (error) => {
        app.log.warn({ err: error }, 'extraction lease renewal failed; retrying');
      },
    });
  }

  /** Aborted when another process acquires the lease. */
  get lost(): AbortSignal {
    return this.#renewal.lost;
  }

  /** The transaction that advanced the cursor has released the lease. */
  markReleased(): void {
    this.#isReleased = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewal[Symbol.asyncDispose]();
    if (this.#isReleased) return;
    try {
      await releaseLease(this.#app.engine.db, leasedCursor(this.#accountId), this.#holder);
    } catch (error) {
      this.#app.log.warn({ err: error }, 'extraction lease release failed; it will expire');
    }
  }
}
