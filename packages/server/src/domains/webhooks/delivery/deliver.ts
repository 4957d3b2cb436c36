import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { sendAttempt } from './attempt.ts';
import type { DeliveryRecord } from './model.ts';
import { type AttemptResult, evaluateAttempt, type RetrySettings } from './outcome.ts';
import { attemptRecorder } from './recorder.ts';
import type { WebhookState } from './store/attempts.ts';

export interface DeliveryResult {
  readonly attempt: AttemptResult;
  /** Under way. Null: another attempted it meanwhile, or it is gone. */
  readonly recorded: Promise<WebhookState | null>;
}

/**
 * Attempts a delivery and begins to record what came of it.
 * @param releases whose line ends with it; null: it goes on
 * @returns null where `signal` gave it up: it is as it was
 */
export async function deliver(
  app: App,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  { signal, releases = null }: { readonly signal: AbortSignal; readonly releases?: string | null },
): Promise<DeliveryResult | null> {
  const made = await sendAttempt(app, webhook, delivery, signal);
  if (made === null) return null;
  const settings = webhook as WebhookRecord & RetrySettings;
  const outcome = evaluateAttempt(settings, delivery, made, app.clock.now(), app.ids.fraction());
  const recorded = attemptRecorder.of(app).record({
    account_id: delivery.account_id,
    webhook_id: delivery.webhook_id,
    number: delivery.number,
    before_status: delivery.status,
    before_attempts: delivery.attempts,
    status: outcome.status,
    next_attempt_at: outcome.nextAttemptAt,
    delivered_at: outcome.deliveredAt,
    response_status: made.status,
    response_body: made.body,
    response_time_ms: made.timeMs,
    error: made.error,
    disables: outcome.disablesWebhook ? reasonOf(delivery, outcome.attempts) : null,
    releases,
  });
  return { attempt: made, recorded };
}

const reasonOf = ({ id }: DeliveryRecord, attempts: number): string =>
  `Delivery ${id} failed ${attempts} times.`;
