import { metrics } from '../../../kernel/metrics/metrics.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { sendDeliveryAttempt } from './attempt.ts';
import { attemptRecorder } from './attempt-recorder.ts';
import type { DeliveryRecord } from './model.ts';
import { type AttemptResult, evaluateAttempt, type RetrySettings } from './outcome.ts';
import type { WebhookState } from './store/attempts.ts';

export interface DeliveryResult {
  readonly attempt: AttemptResult;
  /** Resolves when recorded. Null: another process attempted it, or the delivery is deleted. */
  readonly recorded: Promise<WebhookState | null>;
}

/**
 * Attempts a delivery and starts to record its result.
 * @param releases owner of the lease that the record releases; null: the run continues
 * @returns null if `signal` aborted the attempt: the delivery is unchanged
 */
export async function attemptDelivery(
  app: App,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  { signal, releases = null }: { readonly signal: AbortSignal; readonly releases?: string | null },
): Promise<DeliveryResult | null> {
  const attempt = await sendDeliveryAttempt(app, webhook, delivery, signal);
  if (attempt === null) return null;
  const labels = { outcome: attempt.error === null ? 'success' : 'failure' };
  const seconds = attempt.timeMs / 1_000;
  metrics.of(app).observe('mneme_webhook_attempt_duration_seconds', labels, seconds);
  const settings = webhook as WebhookRecord & RetrySettings;
  const outcome = evaluateAttempt(settings, delivery, attempt, app.clock.now(), app.ids.fraction());
  const recorded = attemptRecorder.of(app).record({
    account_id: delivery.account_id,
    webhook_id: delivery.webhook_id,
    number: delivery.number,
    before_status: delivery.status,
    before_attempts: delivery.attempts,
    status: outcome.status,
    next_attempt_at: outcome.nextAttemptAt,
    delivered_at: outcome.deliveredAt,
    response_status: attempt.status,
    response_body: attempt.body,
    response_time_ms: attempt.timeMs,
    error: attempt.error,
    disables: outcome.disablesWebhook ? reasonOf(delivery, outcome.attempts) : null,
    releases,
  });
  return { attempt, recorded };
}

const reasonOf = ({ id }: DeliveryRecord, attempts: number): string =>
  `Delivery ${id} failed ${attempts} times.`;
