import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { getDelivery, listDeliveries } from './read.ts';
import { startReplay } from './replay.ts';
import { retryDelivery } from './retry.ts';
import { sendTestEvent } from './send-test.ts';

const { webhooks } = routes;

export const deliveryRouteHandlers = [
  createHandler(webhooks.test, (ctx, { params, body }) =>
    sendTestEvent(ctx, params.webhookId, body),
  ),
  createHandler(webhooks.listDeliveries, (ctx, { params, query }) =>
    listDeliveries(ctx, params.webhookId, query),
  ),
  createHandler(webhooks.getDelivery, (ctx, { params }) =>
    getDelivery(ctx, params.webhookId, params.deliveryId),
  ),
  createHandler(webhooks.retryDelivery, (ctx, { params }) =>
    retryDelivery(ctx, params.webhookId, params.deliveryId),
  ),
  createHandler(webhooks.replay, async (ctx, { params, body }) =>
    startReplay(ctx, params.webhookId, body),
  ),
];
