import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { createWebhook, createWebhooks } from './create.ts';
import { deliveryRouteHandlers } from './delivery/routes.ts';
import { listEventTypes } from './events.ts';
import { getWebhook, getWebhookStats, listWebhooks } from './read.ts';
import { removeWebhook, removeWebhooks } from './remove.ts';
import { findBulkWebhookFieldErrors, findWebhookFieldErrors } from './settings.ts';
import { updateWebhook } from './update.ts';

const { webhooks } = routes;

export const webhookRouteHandlers = [
  createHandler(webhooks.list, (ctx, { query }) => listWebhooks(ctx, query)),
  createHandler(
    webhooks.create,
    (ctx, { body }) => createWebhook(ctx, body),
    findWebhookFieldErrors,
  ),
  createHandler(webhooks.stats, (ctx) => getWebhookStats(ctx)),
  createHandler(webhooks.eventTypes, () => listEventTypes()),
  createHandler(
    webhooks.bulkCreate,
    (ctx, { body }) => createWebhooks(ctx, body),
    findBulkWebhookFieldErrors,
  ),
  createHandler(webhooks.bulkDelete, (ctx, { body }) => removeWebhooks(ctx, body.ids)),
  createHandler(webhooks.get, (ctx, { params }) => getWebhook(ctx, params.webhookId)),
  createHandler(
    webhooks.update,
    (ctx, { params, body, ifMatch }) => updateWebhook(ctx, params.webhookId, body, ifMatch),
    findWebhookFieldErrors,
  ),
  createHandler(webhooks.remove, (ctx, { params, ifMatch }) =>
    removeWebhook(ctx, params.webhookId, ifMatch),
  ),
  ...deliveryRouteHandlers,
];
