import type { Answer, Checked, routes, WebhookDelivery } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { paginationOf } from '../../../kernel/page.ts';
import type { Ctx } from '../../ctx.ts';
import { knownWebhook } from '../found.ts';
import { presentDelivery } from './model.ts';
import { findDelivery, listDeliveryRows } from './store/deliveries.ts';

type Routes = typeof routes.webhooks;

/** Newest first. Throws 404 not_found, 403 space_access_denied. */
export async function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  query: Checked<Routes['listDeliveries']>['query'],
): Promise<Answer<Routes['listDeliveries']>> {
  await knownWebhook(ctx, webhookId);
  const place = { accountId: ctx.actor.accountId, webhookId };
  const filter = {
    status: query.status,
    eventType: query.event_type,
    since: query.since,
    until: query.until,
  };
  const { rows, total } = await listDeliveryRows(ctx.engine.db, place, filter, query);
  const data = rows.map(presentDelivery);
  return { data, pagination: paginationOf(query, total, data.length), deliveries: data };
}

/** Throws 404 not_found, 403 space_access_denied. */
export async function getDelivery(
  ctx: Ctx,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  await knownWebhook(ctx, webhookId);
  const place = { accountId: ctx.actor.accountId, webhookId };
  const delivery = await findDelivery(ctx.engine.db, place, deliveryId);
  if (!delivery) throw new AppError('not_found');
  return presentDelivery(delivery);
}
