import type { Clock } from './clock.ts';
import { Poller } from './poller.ts';

/** The exclusive right of a holder until a time; see database/lease.ts for how it is stored. */
export interface Lease {
  readonly holder: string;
  readonly until: Date;
}

/** Another process has the lease, or what it is for was cancelled: the work must end. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface LeaseRenewalOptions {
  readonly intervalMs: number;
  /** Extends the lease. Throws LeaseLost; other errors are temporary. */
  renew(): Promise<void>;
  /** Called with temporary errors, which the next renewal may resolve. */
  onError(error: unknown): void;
}

/** Renews a lease until it is disposed: work may take longer than the lease. */
export class LeaseRenewal implements AsyncDisposable {
  readonly #lost = new AbortController();
  readonly #poller: Poller;

  constructor(clock: Clock, { intervalMs, renew, onError }: LeaseRenewalOptions) {
    this.#poller = new Poller(clock, {
      intervalMs,
      poll: async () => {
        try {
          await renew();
        } catch (error) {
          if (!(error instanceof LeaseLost)) onError(error);
          else {
            this.#poller.pause();
            this.#lost.abort(error);
          }
        }
      },
    });
    this.#poller.start();
  }

  /** Aborted with LeaseLost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Resolves when the running renewal has ended. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#poller.stop();
  }
}
