import type { retrySchedules } from '@mneme/contract';

export type RetrySchedule = (typeof retrySchedules)[number];

/** In units of `retry_delay_seconds`; what comes after the last one waits as long as it. */
const steps: Readonly<Record<RetrySchedule, readonly number[]>> = {
  standard: [1, 5, 30, 120, 1_440],
  short: [1, 5, 30, 120, 480],
};

/** Of a delay to both sides, so that what failed together does not come back together. */
const jitter = 0.1;

/** An endpoint may ask for patience, not for being forgotten. */
const retryAfterMsMax = 86_400_000;

export interface RetryScheduleSettings {
  readonly retry_schedule: RetrySchedule;
  readonly retry_delay_seconds: number;
}

/**
 * Milliseconds from the failure of an attempt to the next one.
 * @param attempts made so far, at least 1
 * @param fraction chance, in [0, 1)
 * @param retryAfterMs what the answer asked for; null: nothing
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

/** `Retry-After` (RFC 9110, 10.2.3) of an answer that may ask for it, in milliseconds. */
export function parseRetryAfterMs(
  status: number,
  header: string | undefined,
  now: Date,
): number | null {
  if (!retryAfterStatuses.has(status) || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Only the form with a name of the day: Date.parse would take many a text for a date.
  const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
