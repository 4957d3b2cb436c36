import type { Clock } from '../kernel/clock.ts';
import { LeaseLost, LeaseRenewal } from '../kernel/lease.ts';
import type { Log } from '../kernel/log.ts';
import type { Engine } from './engine.ts';
import { type LeasedRow, releaseLease, renewLease } from './lease.ts';

/** How long others wait for a process that stopped without releasing its lease. */
const leaseMs = 15_000;
const renewMs = 5_000;

export const leaseExpiry = ({ clock }: { readonly clock: Clock }): Date =>
  new Date(clock.now().getTime() + leaseMs);

interface LeaseServices {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
}

interface HeldLeaseOptions {
  /** For the log, e.g. `encoding`. */
  readonly name: string;
  readonly row: LeasedRow;
  readonly holder: string;
}

/**
 * An acquired lease, renewed until it is disposed: the work may take minutes. A holder that
 * releases it in a transaction of its own calls `markReleased`; otherwise disposal releases it.
 */
export class HeldLease implements AsyncDisposable {
  readonly #services: LeaseServices;
  readonly #options: HeldLeaseOptions;
  readonly #renewal: LeaseRenewal;
  #isReleased = false;

  constructor(services: LeaseServices, options: HeldLeaseOptions) {
    this.#services = services;
    this.#options = options;
    const { engine, clock, log } = services;
    const { name, row, holder } = options;
    this.#renewal = new LeaseRenewal(clock, {
      intervalMs: renewMs,
      renew: async () => {
        const isKept = await renewLease(engine.db, row, { holder, until: leaseExpiry(services) });
        if (!isKept && !this.#isReleased) throw new LeaseLost();
      },
      onError: (error) => {
        log.warn({ err: error }, `${name} lease renewal failed; retrying`);
      },
    });
  }

  /** Aborted when another process acquires the lease. */
  get lost(): AbortSignal {
    return this.#renewal.lost;
  }

  /** A transaction of the holder has released the lease. */
  markReleased(): void {
    this.#isReleased = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewal[Symbol.asyncDispose]();
    if (this.#isReleased) return;
    const { engine, log } = this.#services;
    const { name, row, holder } = this.#options;
    try {
      await releaseLease(engine.db, row, holder);
    } catch (error) {
      log.warn({ err: error }, `${name} lease release failed; it will expire`);
    }
  }
}
