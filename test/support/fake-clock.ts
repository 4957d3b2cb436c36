import type { Clock } from '../../packages/server/src/kernel/clock.ts';

export interface FakeClock extends Clock {
  /** Advances the time and fires due timers. */
  advance(ms: number): void;
}

/**
 * Real time plus the time that a test adds. Timers fire only in `advance`. With a constant
 * `realMs`, only the test advances the time.
 */
export function createFakeClock(realMs = () => performance.now()): FakeClock {
  let addedMs = 0;
  const epochMs = Date.now() - realMs();
  const timers = new Set<{ dueMs: number; call: () => void }>();
  const monotonicMs = (): number => realMs() + addedMs;
  return {
    monotonicMs,
    now: () => new Date(epochMs + monotonicMs()),
    after(ms, call) {
      const timer = { dueMs: monotonicMs() + ms, call };
      timers.add(timer);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    advance(ms) {
      addedMs += ms;
      for (const timer of [...timers].filter(({ dueMs }) => dueMs <= monotonicMs())) {
        timers.delete(timer);
        timer.call();
      }
    },
  };
}
