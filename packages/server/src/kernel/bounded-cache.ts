import type { Clock } from './clock.ts';

interface Entry<T> {
  readonly value: T;
  readonly expiresAtMs: number;
}

/** The most recently used values by key, each for a limited time. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #entriesMax: number;
  readonly #ageMaxMs: number;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    { entriesMax, ageMaxMs }: { readonly entriesMax: number; readonly ageMaxMs: number },
  ) {
    this.#clock = clock;
    this.#entriesMax = entriesMax;
    this.#ageMaxMs = ageMaxMs;
  }

  has(key: string): boolean {
    return (this.#entries.get(key)?.expiresAtMs ?? 0) > this.#clock.monotonicMs();
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAtMs <= this.#clock.monotonicMs()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value for `ageMs`, at most for the time of the cache. */
  set(key: string, value: T, ageMs = this.#ageMaxMs): void {
    const expiresAtMs = this.#clock.monotonicMs() + Math.min(ageMs, this.#ageMaxMs);
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(oldest);
    }
  }
}
