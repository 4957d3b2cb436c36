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
