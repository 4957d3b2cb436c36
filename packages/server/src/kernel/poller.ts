import type { Clock } from './clock.ts';
import { Mutex } from './mutex.ts';
import { runOutsideTrace } from './tracing.ts';

export interface PollerOptions {
  /**
   * From the end of a poll to the next regular one; default: no regular polls. A function is called
   * after each poll; null: no next one until `restart`.
   */
  readonly intervalMs?: number | (() => number | null);
  /** The delay after `wake`, so that several calls cause one poll; default: none. */
  readonly wakeDelayMs?: number;
  /** Processes due work. It must not reject: it logs its own errors. */
  poll(): Promise<void>;
}

/** Polls at regular intervals, and shortly after `wake`. Polls never overlap. */
export class Poller {
  readonly #clock: Clock;
  readonly #options: PollerOptions;
  readonly #mutex = new Mutex();
  #pollTimer: Disposable | undefined;
  #wakeTimer: Disposable | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(clock: Clock, options: PollerOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  start(): void {
    if (this.#isStarted || this.#isStopped) return;
    this.#isStarted = true;
    this.#scheduleNext();
  }

  /** Stops regular polls until the next `start`. */
  pause(): void {
    this.#isStarted = false;
    this.#pollTimer?.[Symbol.dispose]();
  }

  /** The interval has changed: the next regular poll comes after the new one. */
  restart(): void {
    if (this.#isStarted && !this.#isStopped) this.#scheduleNext();
  }

  /** Requests a poll before the next regular one. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped || this.#wakeTimer) return;
    this.#wakeTimer = this.#clock.after(this.#options.wakeDelayMs ?? 0, () => {
      this.#wakeTimer = undefined;
      void runOutsideTrace(() => this.poll());
    });
  }

  /** Polls once more, after the running poll. */
  poll(): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.#isStopped) await this.#options.poll();
    });
  }

  /** Starts no further poll; resolves when the running one has ended. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#pollTimer?.[Symbol.dispose]();
    this.#wakeTimer?.[Symbol.dispose]();
    return this.#mutex.waitForAll();
  }

  #scheduleNext(): void {
    this.#pollTimer?.[Symbol.dispose]();
    const { intervalMs } = this.#options;
    const nextMs = typeof intervalMs === 'function' ? intervalMs() : (intervalMs ?? null);
    if (nextMs === null) return;
    this.#pollTimer = this.#clock.after(nextMs, () => {
      void runOutsideTrace(() => this.poll()).finally(() => {
        if (this.#isStarted && !this.#isStopped) this.#scheduleNext();
      });
    });
  }
}
