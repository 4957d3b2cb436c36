import type { Clock } from '../kernel/clock.ts';

const pollMs = 1_000;

export interface PollerOptions {
  /** The delay after `wake`, so that several calls cause one poll. */
  readonly wakeDelayMs: number;
  /** Processes due work. It must not reject: it logs its own errors. */
  poll(): Promise<void>;
}

/** Polls for work every second, and shortly after `wake`. Polls never overlap. */
export class Poller {
  readonly #clock: Clock;
  readonly #settings: PollerOptions;
  #polling: Promise<void> = Promise.resolve();
  #pollTimer: Disposable | undefined;
  #wakeTimer: Disposable | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(clock: Clock, settings: PollerOptions) {
    this.#clock = clock;
    this.#settings = settings;
  }

  start(): void {
    this.#isStarted = true;
    this.#pollTimer = this.#clock.after(pollMs, () => {
      void this.poll().finally(() => {
        if (this.#isStarted && !this.#isStopped) this.start();
      });
    });
  }

  /** Stops regular polls until the next `start`. */
  pause(): void {
    this.#isStarted = false;
    this.#pollTimer?.[Symbol.dispose]();
  }

  /** Requests a poll before the next regular one. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped || this.#wakeTimer) return;
    this.#wakeTimer = this.#clock.after(this.#settings.wakeDelayMs, () => {
      this.#wakeTimer = undefined;
      void this.poll();
    });
  }

  /** Polls once more, after the running poll. */
  poll(): Promise<void> {
    this.#polling = this.#polling.then(async () => {
      if (!this.#isStopped) await this.#settings.poll();
    });
    return this.#polling;
  }

  /** Starts no further poll; resolves when the running one has ended. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#pollTimer?.[Symbol.dispose]();
    this.#wakeTimer?.[Symbol.dispose]();
    return this.#polling;
  }
}
