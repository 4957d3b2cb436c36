import type { ResponseBody, routes, ValidatedRequest, WebhookDelivery } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import type { Ctx } from '../../ctx.ts';
import { readVisibleWebhook } from '../lookup.ts';
import { presentDelivery } from './model.ts';
import { findDelivery, listDeliveryRows } from './store/deliveries.ts';

type Routes = typeof routes.webhooks;

/** Newest first. Throws 404 not_found, 403 space_access_denied. */
export async function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  query: ValidatedRequest<Routes['listDeliveries']>['query'],
): Promise<ResponseBody<Routes['listDeliveries']>> {
  await readVisibleWebhook(ctx, webhookId);
  const webhookRef = { accountId: ctx.actor.accountId, webhookId };
  const filter = {
    status: query.status,
    eventType: query.event_type,
    since: query.since,
    until: query.until,
  };
  const { rows, total } = await listDeliveryRows(ctx.engine.db, webhookRef, filter, query);
  const data = rows.map(presentDelivery);
  return { data, pagination: toPagination(query, total, data.length), deliveries: data };
}

/** Throws 404 not_found, 403 space_access_denied. */
export async function getDelivery(
  ctx: Ctx,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  await readVisibleWebhook(ctx, webhookId);
  const webhookRef = { accountId: ctx.actor.accountId, webhookId };
  const delivery = await findDelivery(ctx.engine.db, webhookRef, deliveryId);
  if (!delivery) throw new AppError('not_found');
  return presentDelivery(delivery);
}
