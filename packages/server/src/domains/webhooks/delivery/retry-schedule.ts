import type { retrySchedules } from '@mneme/contract';

export type RetrySchedule = (typeof retrySchedules)[number];

/** Delays in units of `retry_delay_seconds`; the last one repeats. */
const steps: Readonly<Record<RetrySchedule, readonly number[]>> = {
  standard: [1, 5, 30, 120, 1_440],
  short: [1, 5, 30, 120, 480],
};

/** Share of the delay in both directions, so that simultaneous failures are not retried at once. */
const jitter = 0.1;

/** Limits the delay that an endpoint can request. */
const retryAfterMsMax = 86_400_000;

export interface RetryScheduleSettings {
  readonly retry_schedule: RetrySchedule;
  readonly retry_delay_seconds: number;
}

/**
 * Milliseconds from the failure of an attempt to the next one.
 * @param attempts so far, at least 1
 * @param fraction random number in [0, 1)
 * @param retryAfterMs requested by the response; null: none
 */
export function retryDelayMs(
  { retry_schedule, retry_delay_seconds }: RetryScheduleSettings,
  attempts: number,
  fraction: number,
  retryAfterMs: number | null,
): number {
  const all = steps[retry_schedule];
  const step = all[Math.min(attempts, all.length) - 1] ?? 1;
  const planned = step * retry_delay_seconds * 1_000 * (1 - jitter + 2 * jitter * fraction);
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, retryAfterMsMax)));
}

const retryAfterStatuses = new Set([429, 503]);

/** `Retry-After` (RFC 9110, 10.2.3) of a 429 or 503 response, in milliseconds. */
export function parseRetryAfterMs(
  status: number,
  header: string | undefined,
  now: Date,
): number | null {
  if (!retryAfterStatuses.has(status) || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Require the name of a day: Date.parse accepts many other texts as dates.
  const dateMs = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - now.getTime());
}
