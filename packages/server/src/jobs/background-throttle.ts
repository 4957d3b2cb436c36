import type { Clock } from '../kernel/clock.ts';
import { type LimiterScope, requestLimiter } from '../kernel/request-limiter.ts';

/** While others change things, work in the background takes one part in five of the time. */
const restPerWork = 4;
const restMaxMs = 5_000;
const lookAgainMs = 25;

/**
 * To be called by work that can wait, after each step of it that took `tookMs`: rests as long as
 * requests of this process change things, at most four times the step and five seconds, so that
 * the work goes on however long they do. Ends at once when it is `over`.
 */
export async function throttleBackgroundWork(
  app: LimiterScope,
  tookMs: number,
  over: AbortSignal,
): Promise<void> {
  const { clock } = app;
  const end = clock.monotonicMs() + Math.min(tookMs * restPerWork, restMaxMs);
  while (!over.aborted && requestLimiter.of(app).hasRecentWrites && clock.monotonicMs() < end) {
    await pause(clock, lookAgainMs, over);
  }
}

function pause(clock: Clock, ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer[Symbol.dispose]();
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    over.addEventListener('abort', end);
  });
}
