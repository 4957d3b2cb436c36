import { parseRetryAfterMs, type RetrySchedule, retryDelayMs } from './schedule.ts';

/** What came of one attempt. */
export interface AttemptResult {
  /** Null: there was no whole answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeMs: number;
  /** Why it failed; null: it did not. */
  readonly error: string | null;
}

export interface RetrySettings {
  readonly max_retries: number;
  readonly retry_delay_seconds: number;
  readonly retry_schedule: RetrySchedule;
}

/** How a delivery goes on. */
export interface DeliveryOutcome {
  readonly status: 'success' | 'retrying' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  /** The endpoint is given up until somebody switches the webhook on again. */
  readonly disablesWebhook: boolean;
}

/** A delivery that is exhausted after fewer attempts leaves its webhook as it is. */
const disablingAttempts = 6;

/**
 * @param before the delivery as it was, with the attempts made before this one
 * @param fraction chance, in [0, 1)
 */
export function evaluateAttempt(
  settings: RetrySettings,
  before: { readonly status: string; readonly attempts: number },
  attempt: AttemptResult,
  now: Date,
  fraction: number,
): DeliveryOutcome {
  const attempts = before.attempts + 1;
  if (attempt.error === null) {
    return {
      status: 'success',
      attempts,
      nextAttemptAt: null,
      deliveredAt: now,
      disablesWebhook: false,
    };
  }
  if (attempts <= settings.max_retries) {
    const asked = parseRetryAfterMs(attempt.status ?? 0, attempt.headers['retry-after'], now);
    const delayMs = retryDelayMs(settings, attempts, fraction, asked);
    return {
      status: 'retrying',
      attempts,
      nextAttemptAt: new Date(now.getTime() + delayMs),
      deliveredAt: null,
      disablesWebhook: false,
    };
  }
  return {
    status: 'failed',
    attempts,
    nextAttemptAt: null,
    deliveredAt: null,
    // One that had failed already is attempted by hand, to see whether the endpoint is back.
    disablesWebhook: attempts >= disablingAttempts && before.status !== 'failed',
  };
}
