import type { ResponseBody, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { readVisibleWebhook } from '../lookup.ts';
import { deliver } from './deliver.ts';
import { leaseMs } from './model.ts';
import { requireDeliveriesEnabled } from './require-deliveries-enabled.ts';
import { findDelivery, leaseForManualRetry } from './store/deliveries.ts';

/**
 * Also of a webhook that is switched off: whoever asks wants to know. Throws 404 not_found,
 * 409 conflict.
 */
export async function retryDelivery(
  ctx: Ctx,
  webhookId: string,
  deliveryId: string,
): Promise<ResponseBody<typeof routes.webhooks.retryDelivery>> {
  const webhook = await readVisibleWebhook(ctx, webhookId);
  await requireDeliveriesEnabled(ctx);
  const place = { accountId: ctx.actor.accountId, webhookId };
  const { db } = ctx.engine;
  const now = ctx.clock.now();
  const lease = { now, until: new Date(now.getTime() + leaseMs) };
  const delivery = await leaseForManualRetry(db, place, deliveryId, lease);
  if (!delivery) throw notRetryableError((await findDelivery(db, place, deliveryId))?.status);
  // Its time is short, and a stop waits for running requests: nothing gives it up.
  const { signal } = new AbortController();
  const delivered = await deliver(ctx, webhook, delivery, { signal });
  if (!(await delivered?.recorded)) throw new AppError('not_found');
  const { status = null, error = null } = delivered?.attempt ?? {};
  return { success: error === null, response_status: status, error };
}

/** Throws 404 not_found, 409 conflict. */
function notRetryableError(status: string | undefined): AppError {
  if (status === undefined) return new AppError('not_found');
  const messages: Readonly<Record<string, string>> = {
    success: 'The delivery has succeeded; only failed and retrying ones can be retried.',
    pending: 'The delivery has not been attempted yet; it will be.',
  };
  const message = messages[status] ?? 'An attempt of the delivery is under way.';
  return new AppError('conflict', { message, details: { status } });
}
