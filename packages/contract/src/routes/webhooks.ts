import { eventTypes } from '../events.ts';
import { defineRoute } from '../route.ts';
import { sampleDelivery, sampleTimestamp, sampleWebhook } from '../samples.ts';
import * as d from '../schemas/deliveries.ts';
import * as s from '../schemas/webhooks.ts';

const notFound = 'not_found';
const params = { webhookId: sampleWebhook.id };
const deliveryParams = { ...params, deliveryId: sampleDelivery.id };

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
  test: defineRoute({
    id: 'webhooks.test',
    method: 'POST',
    path: '/webhooks/:webhookId/test',
    summary: 'Send a test event now, and return the response of the endpoint',
    description: '409 conflict while the operator has paused deliveries.',
    ...write,
    ...webhookRoute,
    body: s.testWebhookBody,
    bodyOptional: true,
    responses: { 200: s.testWebhookResponse },
    errors: [...accessErrors, 'invalid_events', 'conflict'],
    example: {
      params,
      body: { event: 'memory.created' },
      response: {
        success: true,
        response_status: 200,
        response_body: 'ok',
        response_time_ms: 31,
        error: null,
        payload: {
          id: sampleDelivery.event_id,
          event: 'webhook.test',
          type: 'webhook.test',
          created_at: sampleTimestamp,
          webhook_id: sampleWebhook.id,
          data: {
            webhook_id: sampleWebhook.id,
            message: 'A test by Mneme.',
            test: true,
            event_type: 'memory.created',
          },
        },
        headers_sent: {
          'content-type': 'application/json',
          'user-agent': 'Mneme/0.1.0',
          'webhook-id': sampleDelivery.id,
          'webhook-timestamp': '1767605400',
          'webhook-signature': 'v1,46eDt+PWfPk9/rDV6+CnJMX9e8cNLqXJP2lRi7Lk93w=',
          'x-webhook-id': sampleWebhook.id,
          'x-webhook-event': 'webhook.test',
          'x-webhook-timestamp': '1767605400',
          'x-webhook-signature':
            't=1767605400,v1=dfd3937dd138b47e0efce53382b68e16b1489e2733478f4107cf9cd53eb220ab',
          'x-webhook-delivery-id': sampleDelivery.id,
          'x-mneme-event': 'webhook.test',
          'x-mneme-delivery': sampleDelivery.id,
          'x-mneme-timestamp': '1767605400',
        },
      },
    },
  }),
  listDeliveries: defineRoute({
    id: 'webhooks.listDeliveries',
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries',
    summary: 'List past and pending deliveries, newest first, for 30 days',
    description:
      'A delivery that was not sent after a suspension of the account is `failed`, with the ' +
      'reason in `error` and no attempt.',
    ...read,
    requiresContentScope: true,
    ...webhookRoute,
    query: d.listDeliveriesQuery,
    responses: { 200: d.deliveryPage },
    errors: [...accessErrors],
    example: {
      params,
      response: {
        data: [sampleDelivery],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false },
        deliveries: [sampleDelivery],
      },
    },
  }),
  getDelivery: defineRoute({
    id: 'webhooks.getDelivery',
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries/:deliveryId',
    summary: 'Read a delivery',
    ...read,
    requiresContentScope: true,
    params: d.deliveryParams,
    notFound,
    responses: { 200: d.delivery },
    errors: [...accessErrors],
    example: { params: deliveryParams, response: sampleDelivery },
  }),
  retryDelivery: defineRoute({
    id: 'webhooks.retryDelivery',
    method: 'POST',
    path: '/webhooks/:webhookId/deliveries/:deliveryId/retry',
    summary: 'Attempt a failed or retrying delivery now',
    description:
      '409 conflict for a delivery that succeeded or was not attempted yet, and while the ' +
      'operator has paused deliveries.',
    ...write,
    requiresContentScope: true,
    params: d.deliveryParams,
    notFound,
    responses: { 200: d.retryDeliveryResponse },
    errors: [...accessErrors, 'conflict'],
    example: {
      params: deliveryParams,
      response: { success: true, response_status: 200, error: null },
    },
  }),
  replay: defineRoute({
    id: 'webhooks.replay',
    method: 'POST',
    path: '/webhooks/:webhookId/replay',
    summary: 'Send past events again',
    description:
      'Creates new deliveries of stored events, up to 30 days old, in their order. The job fails ' +
      'if the account is suspended before it completes.',
    ...write,
    requiresContentScope: true,
    ...webhookRoute,
    body: s.replayWebhookBody,
    responses: { 202: s.replayWebhookResponse },
    idempotent: true,
    errors: [...accessErrors, 'invalid_events'],
    example: {
      params,
      body: { since: sampleTimestamp },
      response: { job_id: '019b8d1c-3a4a-7b12-8c34-9d5e6f708192' },
    },
  }),
} as const;
