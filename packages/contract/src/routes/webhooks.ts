import { eventTypes } from '../events.ts';
import { defineRoute } from '../route.ts';
import { sampleWebhook } from '../samples.ts';
import * as s from '../schemas/webhooks.ts';

const notFound = 'not_found';
const params = { webhookId: sampleWebhook.id };

const read = { access: 'webhooks:read' } as const;
const write = { access: 'webhooks:write' } as const;
const webhookRoute = { params: s.webhookParams, notFound } as const;
const accessErrors = ['space_access_denied'] as const;
const settingsErrors = [
  'conflict',
  'invalid_events',
  'space_not_found',
  'space_access_denied',
] as const;
const createdWebhook = {
  ...sampleWebhook,
  secret: 'whsec-example-T9uYcKXzv4m7Q2n8sL1pRw',
  total_deliveries: 0,
  successful_deliveries: 0,
  last_triggered_at: null,
};

export const webhookRoutes = {
  list: defineRoute({
    id: 'webhooks.list',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks, newest first',
    ...read,
    query: s.listWebhooksQuery,
    responses: { 200: s.webhookPage },
    errors: ['invalid_events', 'space_not_found', 'space_access_denied'],
    example: {
      response: {
        data: [sampleWebhook],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false },
        webhooks: [sampleWebhook],
        total: 1,
      },
    },
  }),
  create: defineRoute({
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'The webhook receives events from now on, each at least once; first attempts are in order ' +
      'of commit. Only this response contains the secret.',
    ...write,
    requiresContentScope: true,
    body: s.createWebhookBody,
    responses: { 201: s.webhook },
    idempotent: true,
    secretResponse: true,
    etag: true,
    errors: [...settingsErrors, 'quota_exceeded'],
    example: {
      body: { url: 'https://example.com/hooks/mneme', events: ['memory.*'] },
      response: createdWebhook,
    },
  }),
  stats: defineRoute({
    id: 'webhooks.stats',
    method: 'GET',
    path: '/webhooks/stats',
    summary: 'Count webhooks and their deliveries',
    ...read,
    responses: { 200: s.webhookStats },
    errors: [],
    example: {
      response: {
        total_webhooks: 1,
        active_webhooks: 1,
        inactive_webhooks: 0,
        total_deliveries: 12,
        successful_deliveries: 11,
        failed_deliveries: 1,
        events_distribution: [{ event: 'memory.*', webhook_count: 1 }],
      },
    },
  }),
  eventTypes: defineRoute({
    id: 'webhooks.eventTypes',
    method: 'GET',
    path: '/webhooks/event-types',
    summary: 'List the event types of webhooks',
    ...read,
    responses: { 200: s.webhookEventTypes },
    errors: [],
    example: {
      response: {
        event_types: ['memory.created'],
        details: [{ type: 'memory.created', description: eventTypes['memory.created'] }],
      },
    },
  }),
  bulkCreate: defineRoute({
    id: 'webhooks.bulkCreate',
    method: 'POST',
    path: '/webhooks/bulk',
    summary: 'Create up to 100 webhooks, all or none',
    ...write,
    requiresContentScope: true,
    body: s.bulkCreateWebhooksBody,
    responses: { 201: s.bulkCreateWebhooksResponse },
    idempotent: true,
    secretResponse: true,
    errors: [...settingsErrors, 'quota_exceeded'],
    example: {
      body: { webhooks: [{ url: 'https://example.com/hooks/mneme', events: ['*'] }] },
      response: { created: 1, webhooks: [{ ...createdWebhook, events: ['*'] }] },
    },
  }),
  bulkDelete: defineRoute({
    id: 'webhooks.bulkDelete',
    method: 'POST',
    path: '/webhooks/bulk/delete',
    summary: 'Delete up to 100 webhooks; unknown ids are ignored',
    ...write,
    body: s.bulkDeleteWebhooksBody,
    responses: { 200: s.bulkDeleteWebhooksResponse },
    errors: [...accessErrors],
    example: {
      body: { ids: [sampleWebhook.id] },
      response: { deleted: 1, ids: [sampleWebhook.id] },
    },
  }),
  get: defineRoute({
    id: 'webhooks.get',
    method: 'GET',
    path: '/webhooks/:webhookId',
    summary: 'Read a webhook',
    ...read,
    ...webhookRoute,
    etag: true,
    responses: { 200: s.webhook },
    errors: [...accessErrors],
    example: { params, response: sampleWebhook },
  }),
  update: defineRoute({
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/webhooks/:webhookId',
    summary: 'Change, enable or disable a webhook, or rotate its secret',
    description:
      'Only the response to this request contains a new secret; deliveries are also signed with ' +
      'the previous one for 24 hours. Events that occur while a webhook is disabled wait for it, ' +
      'for up to 30 days.',
    ...write,
    requiresContentScope: true,
    ...webhookRoute,
    etag: true,
    secretResponse: true,
    body: s.patchWebhookBody,
    responses: { 200: s.webhook },
    errors: [...settingsErrors, 'precondition_failed'],
    example: { params, body: { is_active: true }, response: sampleWebhook },
  }),
  remove: defineRoute({
    id: 'webhooks.remove',
    method: 'DELETE',
    path: '/webhooks/:webhookId',
    summary: 'Delete a webhook and its delivery log',
    ...write,
    ...webhookRoute,
    etag: true,
    responses: { 204: null },
    errors: [...accessErrors, 'precondition_failed'],
    example: { params, response: null },
  }),
} as const;
