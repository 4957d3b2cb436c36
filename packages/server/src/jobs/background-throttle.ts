import type { Clock } from '../kernel/clock.ts';
import { type RequestLimiterDeps, requestLimiter } from '../kernel/request-limiter.ts';

/** During writes of requests, background work uses one fifth of the time. */
const pausePerWork = 4;
const pauseMaxMs = 5_000;
const pollMs = 25;

/**
 * Background work calls it after each step that took `tookMs`. It pauses while requests of this
 * process write, for at most four times the step and at most five seconds, so that the work
 * continues under permanent load. It returns immediately when `signal` is aborted.
 */
export async function throttleBackgroundWork(
  app: RequestLimiterDeps,
  tookMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = app;
  const end = clock.monotonicMs() + Math.min(tookMs * pausePerWork, pauseMaxMs);
  while (!signal.aborted && requestLimiter.of(app).hasRecentWrites && clock.monotonicMs() < end) {
    await pause(clock, pollMs, signal);
  }
}

/** The throttle of a worker, which is off while a caller waits for the work. */
export class BackgroundThrottle {
  readonly #app: RequestLimiterDeps;
  /** Aborted while the throttle is off. */
  #off = new AbortController();
  #waitingCallers = 0;

  constructor(app: RequestLimiterDeps) {
    this.#app = app;
  }

  /** Pauses after a step of the work, like `throttleBackgroundWork`. */
  pause(tookMs: number, signal: AbortSignal): Promise<void> {
    const skip = AbortSignal.any([signal, this.#off.signal]);
    return throttleBackgroundWork(this.#app, tookMs, skip);
  }

  /** Runs `work` with the throttle off; a pause that has begun ends. */
  async turnOffDuring(work: () => Promise<void>): Promise<void> {
    this.#waitingCallers += 1;
    this.#off.abort();
    try {
      await work();
    } finally {
      this.#waitingCallers -= 1;
      if (this.#waitingCallers === 0) this.#off = new AbortController();
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}
