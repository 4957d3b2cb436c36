import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds; rejects if the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const sleepFor: Sleep = (ms, signal) => delay(ms, undefined, signal ? { signal } : {});

const ATTEMPTS_MAX = 4;
const SLOW_ATTEMPTS_MAX = 2;
const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 10_000;

/** The error of an attempt, and whether a retry may succeed. */
export interface FailedAttempt {
  error: Error;
  canRetry: boolean;
  /** The attempt timed out: a second one may succeed, a third takes longer than callers wait. */
  isTimeout?: boolean;
  /** The connection was refused or lost, such as an idle one that the endpoint has closed. */
  isConnectionLost?: boolean;
  /** Pause requested by the endpoint, in milliseconds. */
  pauseMs?: number | undefined;
}

/**
 * Up to four attempts with pauses of 250, 500 and 1,000 ms, or as the endpoint requests, at most 10
 * s; two attempts after timeouts. No jitter: a process has few such concurrent requests.
 * @param attempt returns a value or a failed attempt; an exception is not retried
 * @throws the error of the last attempt
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
      // A timer rejects with its own error, but callers expect the signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  }
}
