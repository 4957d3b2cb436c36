import type { Clock } from '../../packages/server/src/kernel/clock.ts';

export interface FakeClock extends Clock {
  /** Moves time on; timers that are due by then call back. */
  advance(ms: number): void;
}

/**
 * Real time plus what a test adds to it; timers fire only when time is moved past them. With
 * `realMs` of a constant, no time passes but what the test adds.
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
