import type { App } from '../domains/ctx.ts';
import { perApp } from '../kernel/per-app.ts';

/** Runs calls with the same key one at a time, in their order. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

/** Two events of one session at the same time must not create it twice. */
export const sessionMutex = perApp<App, KeyedMutex>(() => new KeyedMutex());
