import { setTimeout as wait } from 'node:timers/promises';

export interface TimeSource {
  nowMs(): number;
  wait(ms: number): Promise<unknown>;
}

/** Of the wall, as the service's windows are. */
export const wallClock: TimeSource = { nowMs: () => Date.now(), wait: (ms) => wait(ms) };

export interface RateSchedule {
  readonly perSecond: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/**
 * Calls `send(n)` for n = 0, 1, … evenly from one moment to another, whether or not what was sent
 * before is answered. What is late goes at once. Throws when the signal is aborted.
 */
export async function runAtFixedRate(
  { perSecond, fromMs, untilMs, signal }: RateSchedule,
  send: (n: number) => void,
  time: TimeSource = wallClock,
): Promise<void> {
  const dueAt = (n: number): number => fromMs + (n * 1_000) / perSecond;
  for (let n = 0; dueAt(n) < untilMs; ) {
    signal.throwIfAborted();
    if (dueAt(n) > time.nowMs()) await time.wait(Math.max(1, dueAt(n) - time.nowMs()));
    else {
      send(n);
      n += 1;
    }
  }
}
