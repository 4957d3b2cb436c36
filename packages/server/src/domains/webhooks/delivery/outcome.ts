import { parseRetryAfterMs, type RetrySchedule, retryDelayMs } from './retry-schedule.ts';

/** The result of one attempt. */
export interface AttemptResult {
  /** Null: no complete response was received. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeMs: number;
  /** The reason for the failure; null: success. */
  readonly error: string | null;
}

export interface RetrySettings {
  readonly max_retries: number;
  readonly retry_delay_seconds: number;
  readonly retry_schedule: RetrySchedule;
}

/** The state of a delivery after an attempt. */
export interface DeliveryOutcome {
  readonly status: 'success' | 'retrying' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  /** The webhook is disabled until somebody enables it again. */
  readonly disablesWebhook: boolean;
}

/** A delivery that fails after fewer attempts does not disable its webhook. */
const disablingAttempts = 6;

/**
 * @param before the delivery before the attempt
 * @param fraction random number in [0, 1)
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
    const retryAfterMs = parseRetryAfterMs(
      attempt.status ?? 0,
      attempt.headers['retry-after'],
      now,
    );
    const delayMs = retryDelayMs(settings, attempts, fraction, retryAfterMs);
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
    // A delivery that had already failed is a manual retry to test the endpoint.
    disablesWebhook: attempts >= disablingAttempts && before.status !== 'failed',
  };
}
