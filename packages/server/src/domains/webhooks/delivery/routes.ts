import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { getDelivery, listDeliveries } from './read.ts';
import { replayWebhook } from './replay.ts';
import { retryDelivery } from './retry.ts';
import { tryWebhook } from './try.ts';

const { webhooks } = routes;

export const deliveryHandlers = [
  handle(webhooks.test, (ctx, { params, body }) => tryWebhook(ctx, params.webhookId, body)),
  handle(webhooks.listDeliveries, (ctx, { params, query }) =>
    listDeliveries(ctx, params.webhookId, query),
  ),
  handle(webhooks.getDelivery, (ctx, { params }) =>
    getDelivery(ctx, params.webhookId, params.deliveryId),
  ),
  handle(webhooks.retryDelivery, (ctx, { params }) =>
    retryDelivery(ctx, params.webhookId, params.deliveryId),
  ),
  handle(webhooks.replay, async (ctx, { params, body }) =>
    replayWebhook(ctx, params.webhookId, body),
  ),
];
