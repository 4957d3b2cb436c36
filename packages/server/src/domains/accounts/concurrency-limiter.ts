import { perApp } from '../../kernel/per-app.ts';
import { Poller } from '../../kernel/poller.ts';
import type { App } from '../ctx.ts';
import {
  acquireConcurrencySlot,
  type HeldConcurrencySlot,
  releaseConcurrencySlot,
  renewConcurrencySlots,
} from './store/rate-limits.ts';

const leaseMs = 60_000;
const renewMs = 20_000;
const attemptsMax = 10;

type Release = () => Promise<void>;
const nothing: Release = async () => undefined;

/**
 * Limits concurrent requests per key. This process counts in memory; if several processes may
 * share a database, a request also leases a row there, which a dead process stops renewing.
 */
class ConcurrencyLimiter {
  readonly #app: App;
  readonly #holder: string;
  readonly #localCounts = new Map<string, number>();
  readonly #held = new Set<HeldConcurrencySlot>();
  readonly #renewals: Poller;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#renewals = new Poller(app.clock, { intervalMs: renewMs, poll: () => this.#renew() });
    app.disposables.defer(() => this.#renewals.stop());
  }

  /** Counts one more request here; false at the limit. Release it with `releaseLocal`. */
  acquireLocal(keyId: string, max: number): boolean {
    const running = this.#localCounts.get(keyId) ?? 0;
    if (running >= max) return false;
    this.#localCounts.set(keyId, running + 1);
    return true;
  }

  releaseLocal(keyId: string): void {
    const running = (this.#localCounts.get(keyId) ?? 1) - 1;
    if (running > 0) this.#localCounts.set(keyId, running);
    else this.#localCounts.delete(keyId);
  }

  /** Leases one of the key's slots among all processes; null if none is free. */
  async acquireShared(keyId: string, max: number): Promise<Release | null> {
    const { engine, clock } = this.#app;
    if (engine.kind === 'embedded') return nothing;
    for (let race = 0; race < attemptsMax; race += 1) {
      const now = clock.now();
      const until = new Date(now.getTime() + leaseMs);
      const request = { keyId, holder: this.#holder, now, until };
      const { slot, seen } = await acquireConcurrencySlot(engine.db, request, max);
      if (slot !== null) return this.#createRelease(keyId, slot);
      if (!seen) return null;
    }
    return null;
  }

  /** If the release fails, the lease expires. */
  #createRelease(keyId: string, slot: number): Release {
    const held = { keyId, slot };
    this.#held.add(held);
    this.#renewals.start();
    return async () => {
      this.#held.delete(held);
      await releaseConcurrencySlot(this.#app.engine.db, keyId, slot, this.#holder);
    };
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return this.#renewals.pause();
    const { engine, clock, log } = this.#app;
    const until = new Date(clock.now().getTime() + leaseMs);
    await renewConcurrencySlots(engine.db, this.#holder, [...this.#held], until).catch(
      (error: unknown) => log.warn({ err: error }, 'request slot renewal failed'),
    );
  }
}

export const concurrencyLimiter = perApp<App, ConcurrencyLimiter>(
  (app) => new ConcurrencyLimiter(app),
);
