import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { acquireSlot, type HeldSlot, releaseSlot, renewSlots } from './store/rate-limits.ts';

const leaseMs = 60_000;
const renewMs = 20_000;
const attemptsMax = 10;

type Release = () => Promise<void>;
const nothing: Release = async () => undefined;

/**
 * Requests at the same time, for each key. This process counts in memory; where several may share
 * a database, a request also holds a row there, which a process that dies stops renewing.
 */
class ConcurrencyLimiter {
  readonly #app: App;
  readonly #holder: string;
  readonly #running = new Map<string, number>();
  readonly #held = new Set<HeldSlot>();
  #renewal: Disposable | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
  }

  /** Counts one more here; false where that is too many. Give it back with `leave`. */
  acquireLocal(keyId: string, max: number): boolean {
    const running = this.#running.get(keyId) ?? 0;
    if (running >= max) return false;
    this.#running.set(keyId, running + 1);
    return true;
  }

  releaseLocal(keyId: string): void {
    const running = (this.#running.get(keyId) ?? 1) - 1;
    if (running > 0) this.#running.set(keyId, running);
    else this.#running.delete(keyId);
  }

  /** Holds one of the key's slots among all processes; null where none is free. */
  async acquireShared(keyId: string, max: number): Promise<Release | null> {
    const { engine, clock } = this.#app;
    if (engine.kind === 'embedded') return nothing;
    for (let race = 0; race < attemptsMax; race += 1) {
      const now = clock.now();
      const until = new Date(now.getTime() + leaseMs);
      const asked = { keyId, holder: this.#holder, now, until };
      const { slot, seen } = await acquireSlot(engine.db, asked, max);
      if (slot !== null) return this.#holding(keyId, slot);
      if (!seen) return null;
    }
    return null;
  }

  /** What could not be given back is held no more: its lease runs out. */
  #holding(keyId: string, slot: number): Release {
    const held = { keyId, slot };
    this.#held.add(held);
    this.#renewal ??= this.#app.clock.after(renewMs, () => this.#renew());
    return async () => {
      this.#held.delete(held);
      await releaseSlot(this.#app.engine.db, keyId, slot, this.#holder);
    };
  }

  #renew(): void {
    this.#renewal = undefined;
    if (this.#held.size === 0) return;
    const { engine, clock, log } = this.#app;
    this.#renewal = clock.after(renewMs, () => this.#renew());
    const until = new Date(clock.now().getTime() + leaseMs);
    renewSlots(engine.db, this.#holder, [...this.#held], until).catch((error: unknown) => {
      log.warn({ err: error }, 'request slots could not be renewed');
    });
  }
}

export const concurrencyLimiter = perApp<App, ConcurrencyLimiter>(
  (app) => new ConcurrencyLimiter(app),
);
