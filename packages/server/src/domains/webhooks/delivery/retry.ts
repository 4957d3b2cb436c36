import type { ResponseBody, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { readVisibleWebhook } from '../lookup.ts';
import { attemptDelivery } from './deliver.ts';
import { webhookLeaseMs } from './model.ts';
import { requireDeliveriesEnabled } from './require-deliveries-enabled.ts';
import { findDelivery, leaseForManualRetry } from './store/deliveries.ts';

/**
 * Retries a delivery on request, also of a disabled webhook, to test the endpoint. Throws 404
 * not_found, 409 conflict.
 */
export async function retryDelivery(
  ctx: Ctx,
  webhookId: string,
  deliveryId: string,
): Promise<ResponseBody<typeof routes.webhooks.retryDelivery>> {
  const webhook = await readVisibleWebhook(ctx, webhookId);
  await requireDeliveriesEnabled(ctx);
  const webhookRef = { accountId: ctx.actor.accountId, webhookId };
  const { db } = ctx.engine;
  const now = ctx.clock.now();
  const lease = { now, until: new Date(now.getTime() + webhookLeaseMs) };
  const delivery = await leaseForManualRetry(db, webhookRef, deliveryId, lease);
  if (!delivery) throw notRetryableError((await findDelivery(db, webhookRef, deliveryId))?.status);
  // Not abortable: an attempt is short, and a shutdown waits for running requests.
  const { signal } = new AbortController();
  const delivered = await attemptDelivery(ctx, webhook, delivery, { signal });
  if (!(await delivered?.recorded)) throw new AppError('not_found');
  const { status = null, error = null } = delivered?.attempt ?? {};
  return { success: error === null, response_status: status, error };
}

/** Returns 404 not_found or 409 conflict. */
function notRetryableError(status: string | undefined): AppError {
  if (status === undefined) return new AppError('not_found');
  const messages: Readonly<Record<string, string>> = {
    success: 'The delivery has succeeded: only failed and retrying deliveries can be retried.',
    pending: 'The delivery has not been attempted yet: wait for its first attempt.',
  };
  const message = messages[status] ?? 'An attempt of the delivery is in progress: retry later.';
  return new AppError('conflict', { message, details: { status } });
}
