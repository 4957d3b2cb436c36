import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { requireKnownEventType } from '../events.ts';
import { readVisibleWebhook } from '../lookup.ts';
import { maskedValue } from '../model.ts';
import { sendDeliveryAttempt } from './attempt.ts';
import { buildTestPayload } from './payload.ts';
import { requireDeliveriesEnabled } from './require-deliveries-enabled.ts';

type Route = typeof routes.webhooks.test;

/**
 * Sends a test event at once, also to a disabled webhook; it is not recorded as a delivery. Throws
 * 404 not_found, 403 space_access_denied, 400 invalid_events, 409 conflict while deliveries are
 * paused.
 */
export async function sendTestEvent(
  ctx: Ctx,
  webhookId: string,
  input: ValidatedRequest<Route>['body'] | undefined,
): Promise<ResponseBody<Route>> {
  const webhook = await readVisibleWebhook(ctx, webhookId);
  const named = input?.event ?? input?.event_type ?? null;
  if (named !== null) requireKnownEventType(named);
  await requireDeliveriesEnabled(ctx);
  const { clock, ids } = ctx;
  const at = clock.now();
  const payload = buildTestPayload({ id: ids.uuid(), at, webhookId, named });
  const body = JSON.stringify(payload);
  const message = { id: ids.uuid(), event_type: payload.event, event_created_at: at, body };
  const { signal } = new AbortController();
  const attempt = await sendDeliveryAttempt(ctx, webhook, message, signal);
  const { headers = {}, own = new Set() } = attempt?.sent ?? {};
  return {
    success: attempt?.error === null,
    response_status: attempt?.status ?? null,
    response_body: attempt?.body ?? null,
    response_time_ms: attempt?.timeMs ?? null,
    error: attempt?.error ?? null,
    payload,
    headers_sent: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, own.has(name) ? value : maskedValue]),
    ),
  };
}
