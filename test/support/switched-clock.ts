import { type Clock, systemClock } from '../../packages/server/src/kernel/clock.ts';

interface PendingTimer {
  readonly dueMs: number;
  readonly call: () => void;
  timer: Disposable;
}

/** The clock of a service that several files use in turn, each with a clock of its own. */
export class SwitchedClock implements Clock {
  #current: Clock = systemClock;
  /** What is added to the current clock, so that the whole never goes back. */
  #addedMs = 0;
  readonly #pending = new Set<PendingTimer>();

  /** Goes on with another clock; timers that wait have as long to wait there. */
  switchTo(clock: Clock): void {
    this.#addedMs = this.monotonicMs() - clock.monotonicMs();
    this.#current = clock;
    for (const one of this.#pending) {
      one.timer[Symbol.dispose]();
      one.timer = this.#plan(one);
    }
  }

  now(): Date {
    return this.#current.now();
  }

  monotonicMs(): number {
    return this.#current.monotonicMs() + this.#addedMs;
  }

  after(ms: number, call: () => void): Disposable {
    const one: PendingTimer = {
      dueMs: this.monotonicMs() + ms,
      call,
      timer: { [Symbol.dispose]: () => {} },
    };
    this.#pending.add(one);
    one.timer = this.#plan(one);
    return {
      [Symbol.dispose]: () => {
        this.#pending.delete(one);
        one.timer[Symbol.dispose]();
      },
    };
  }

  #plan(one: PendingTimer): Disposable {
    return this.#current.after(Math.max(0, one.dueMs - this.monotonicMs()), () => {
      this.#pending.delete(one);
      one.call();
    });
  }
}
