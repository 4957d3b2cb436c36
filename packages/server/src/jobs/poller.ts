import type { Clock } from '../kernel/clock.ts';

const pollMs = 1_000;

export interface PollerOptions {
  /** From a call of `wake` on: what comes together is looked at together. */
  readonly wakeDelayMs: number;
  /** Does what is due. Rejects never: what fails is told by whoever knows what it was. */
  poll(): Promise<void>;
}

/** Looks for work, one time after the other: every second, and soon after it is woken. */
export class Poller {
  readonly #clock: Clock;
  readonly #settings: PollerOptions;
  #looking: Promise<void> = Promise.resolve();
  #poll: Disposable | undefined;
  #soon: Disposable | undefined;
  #isStarted = false;
  #isOver = false;

  constructor(clock: Clock, settings: PollerOptions) {
    this.#clock = clock;
    this.#settings = settings;
  }

  start(): void {
    this.#isStarted = true;
    this.#poll = this.#clock.after(pollMs, () => {
      void this.poll().finally(() => {
        if (this.#isStarted && !this.#isOver) this.start();
      });
    });
  }

  /** Looks no more by itself. */
  pause(): void {
    this.#isStarted = false;
    this.#poll?.[Symbol.dispose]();
  }

  /** Something may be due before the next second. */
  wake(): void {
    if (!this.#isStarted || this.#isOver || this.#soon) return;
    this.#soon = this.#clock.after(this.#settings.wakeDelayMs, () => {
      this.#soon = undefined;
      void this.poll();
    });
  }

  /** Once more, after what is under way. */
  poll(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      if (!this.#isOver) await this.#settings.poll();
    });
    return this.#looking;
  }

  /** Begins no other look; resolves when the last one is over. */
  stop(): Promise<void> {
    this.#isOver = true;
    this.#poll?.[Symbol.dispose]();
    this.#soon?.[Symbol.dispose]();
    return this.#looking;
  }
}
