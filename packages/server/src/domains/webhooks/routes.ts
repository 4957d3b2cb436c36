import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { createWebhook, createWebhooks } from './create.ts';
import { deliveryHandlers } from './delivery/routes.ts';
import { listEventTypes } from './events.ts';
import { getWebhook, listWebhooks, webhookStats } from './read.ts';
import { removeWebhook, removeWebhooks } from './remove.ts';
import { faultsOfMany, faultsOfOne } from './settings.ts';
import { updateWebhook } from './update.ts';

const { webhooks } = routes;

export const webhookHandlers = [
  handle(webhooks.list, (ctx, { query }) => listWebhooks(ctx, query)),
  handle(webhooks.create, (ctx, { body }) => createWebhook(ctx, body), faultsOfOne),
  handle(webhooks.stats, (ctx) => webhookStats(ctx)),
  handle(webhooks.eventTypes, () => listEventTypes()),
  handle(webhooks.bulkCreate, (ctx, { body }) => createWebhooks(ctx, body), faultsOfMany),
  handle(webhooks.bulkDelete, (ctx, { body }) => removeWebhooks(ctx, body.ids)),
  handle(webhooks.get, (ctx, { params }) => getWebhook(ctx, params.webhookId)),
  handle(
    webhooks.update,
    (ctx, { params, body, ifMatch }) => updateWebhook(ctx, params.webhookId, body, ifMatch),
    faultsOfOne,
  ),
  handle(webhooks.remove, (ctx, { params, ifMatch }) =>
    removeWebhook(ctx, params.webhookId, ifMatch),
  ),
  ...deliveryHandlers,
];
