import type { Clock } from './clock.ts';
import { Mutex } from './mutex.ts';
import type { AppLifetime } from './per-app.ts';

export interface WriteBehindOptions<T> {
  /** From the first change to its write. */
  readonly delayMs: number;
  /** Creates an empty buffer. */
  create(): T;
  /** Writes the content of a buffer. It must not reject: it logs its own errors. */
  write(content: T): Promise<void>;
}

/**
 * Collects writes that no response waits for, and writes them together: after a delay, on `flush`,
 * and at shutdown. A crash loses what is not written yet.
 */
export class WriteBehindBuffer<T> {
  readonly #clock: Clock;
  readonly #options: WriteBehindOptions<T>;
  readonly #mutex = new Mutex();
  #pending: T;
  #timer: Disposable | undefined;

  constructor(
    { clock, disposables }: AppLifetime & { clock: Clock },
    options: WriteBehindOptions<T>,
  ) {
    this.#clock = clock;
    this.#options = options;
    this.#pending = options.create();
    disposables.defer(() => this.flush());
  }

  /** The content that no write has begun for. */
  get pending(): Readonly<T> {
    return this.#pending;
  }

  /** Changes the content; it is written after the delay. */
  change(apply: (pending: T) => void): void {
    apply(this.#pending);
    this.#timer ??= this.#clock.after(this.#options.delayMs, () => void this.flush());
  }

  /** Resolves when all changes so far are written. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    return this.#mutex.run(() => {
      const content = this.#pending;
      this.#pending = this.#options.create();
      return this.#options.write(content);
    });
  }
}
