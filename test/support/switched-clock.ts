import { type Clock, systemClock } from '../../packages/server/src/kernel/clock.ts';

interface PendingTimer {
  readonly dueMs: number;
  readonly call: () => void;
  timer: Disposable;
}

/** The clock of a shared service: each test file switches it to its own clock. */
export class SwitchedClock implements Clock {
  #current: Clock = systemClock;
  /** Added to the current clock, so that time never goes backwards. */
  #addedMs = 0;
  readonly #pending = new Set<PendingTimer>();

  /** Continues with another clock; the remaining time of pending timers stays the same. */
  switchTo(clock: Clock): void {
    this.#addedMs = this.monotonicMs() - clock.monotonicMs();
    this.#current = clock;
    for (const pending of this.#pending) {
      pending.timer[Symbol.dispose]();
      pending.timer = this.#schedule(pending);
    }
  }

  now(): Date {
    return this.#current.now();
  }

  monotonicMs(): number {
    return this.#current.monotonicMs() + this.#addedMs;
  }

  after(ms: number, call: () => void): Disposable {
    const pending: PendingTimer = {
      dueMs: this.monotonicMs() + ms,
      call,
      timer: { [Symbol.dispose]: () => {} },
    };
    this.#pending.add(pending);
    pending.timer = this.#schedule(pending);
    return {
      [Symbol.dispose]: () => {
        this.#pending.delete(pending);
        pending.timer[Symbol.dispose]();
      },
    };
  }

  #schedule(pending: PendingTimer): Disposable {
    return this.#current.after(Math.max(0, pending.dueMs - this.monotonicMs()), () => {
      this.#pending.delete(pending);
      pending.call();
    });
  }
}
