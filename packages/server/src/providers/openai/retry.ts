import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds; rejects when the signal is aborted meanwhile. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const sleepFor: Sleep = (ms, signal) => delay(ms, undefined, signal ? { signal } : {});

const ATTEMPTS_MAX = 4;
const SLOW_ATTEMPTS_MAX = 2;
const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 10_000;

/** What an attempt failed with, and whether another may go better. */
export interface FailedAttempt {
  error: Error;
  canRetry: boolean;
  /** Took all the time there was: a second one may, a third is more than a caller waits for. */
  isTimeout?: boolean;
  /** What the other side asked to wait, in milliseconds. */
  pauseMs?: number | undefined;
}

/**
 * Up to four attempts with pauses of 250, 500 and 1,000 ms, or what the other side asks for, at
 * most 10 s; two attempts where they run out of time. No random part: a process has few
 * such requests under way, so there is no crowd.
 * @param attempt gives a value or a setback; what it throws is not retried
 * @throws the last setback's error
 * @throws the signal's reason when it is aborted
 */
export async function withRetries<T>(
  attempt: () => Promise<{ value: T } | FailedAttempt>,
  sleep: Sleep,
  signal?: AbortSignal,
): Promise<T> {
  for (let count = 1; ; count++) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    const attemptsMax = outcome.isTimeout ? SLOW_ATTEMPTS_MAX : ATTEMPTS_MAX;
    if (!outcome.canRetry || count >= attemptsMax) throw outcome.error;
    const pauseMs = outcome.pauseMs ?? PAUSE_FIRST_MS * 2 ** (count - 1);
    try {
      await sleep(Math.min(pauseMs, PAUSE_MAX_MS), signal);
    } catch (error) {
      // A timer rejects with an error of its own: callers are promised the signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  }
}
