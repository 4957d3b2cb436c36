import type { Clock } from '../kernel/clock.ts';
import { perApp } from '../kernel/per-app.ts';
import { type RequestLimiterDeps, requestLimiter } from '../kernel/request-limiter.ts';

/** While requests write, each kind of background work uses at most one fifth of the time. */
const pausePerWork = 4;
const pauseMaxMs = 5_000;
const pollMs = 25;
/** Work whose last step is longer ago has no share of the time. */
const activeMs = 2 * pauseMaxMs;

export type BackgroundWork = 'encoding' | 'extraction' | 'import';

/** When each kind of background work in this process ended its last step. */
const lastStepMs = perApp<RequestLimiterDeps, Map<BackgroundWork, number>>(() => new Map());

/**
 * Background work calls it after each step that took `tookMs`. While requests of this process
 * arrive, it pauses so that all background work together takes at most half of one core: n kinds at
 * work pause 2n − 1 times the step each, and at least four times while requests may write. A pause
 * takes at most five seconds, so that the work continues under permanent load. It returns
 * immediately when `signal` is aborted.
 */
export async function throttleBackgroundWork(
  app: RequestLimiterDeps,
  work: BackgroundWork,
  tookMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = app;
  const startedAtMs = clock.monotonicMs();
  const kinds = countActive(lastStepMs.of(app).set(work, startedAtMs), startedAtMs);
  const limiter = requestLimiter.of(app);
  while (!signal.aborted) {
    const { recentActivity } = limiter;
    if (recentActivity === null) return;
    const factor = Math.max(2 * kinds - 1, recentActivity === 'write' ? pausePerWork : 0);
    const endMs = startedAtMs + Math.min(tookMs * factor, pauseMaxMs);
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) return;
    await pause(clock, Math.min(leftMs, pollMs), signal);
  }
}

function countActive(steps: ReadonlyMap<BackgroundWork, number>, nowMs: number): number {
  return [...steps.values()].filter((endedMs) => nowMs - endedMs < activeMs).length;
}

/** The throttle of a worker, which is off while a caller waits for the work. */
export class BackgroundThrottle {
  readonly #app: RequestLimiterDeps;
  readonly #work: BackgroundWork;
  /** Aborted while the throttle is off. */
  #off = new AbortController();
  #waitingCallers = 0;

  constructor(app: RequestLimiterDeps, work: BackgroundWork) {
    this.#app = app;
    this.#work = work;
  }

  /** Pauses after a step of the work, like `throttleBackgroundWork`. */
  pause(tookMs: number, signal: AbortSignal): Promise<void> {
    const skip = AbortSignal.any([signal, this.#off.signal]);
    return throttleBackgroundWork(this.#app, this.#work, tookMs, skip);
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
