/** The source of time; tests pass their own. */
export interface Clock {
  now(): Date;
  /** Milliseconds of a monotonic clock, for durations. */
  monotonicMs(): number;
  /** Calls back once after `ms`; the timer never keeps the process alive. */
  after(ms: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
