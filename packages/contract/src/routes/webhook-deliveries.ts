import { defineRoute } from '../route.ts';
import { sampleDelivery, sampleTimestamp, sampleWebhook } from '../samples.ts';
import * as s from '../schemas/webhook-deliveries.ts';
import { webhookParams } from '../schemas/webhooks.ts';

const notFound = 'not_found';
const params = { webhookId: sampleWebhook.id };
const deliveryParams = { ...params, deliveryId: sampleDelivery.id };

const read = { access: 'webhooks:read' } as const;
const write = { access: 'webhooks:write' } as const;
const webhookRoute = { params: webhookParams, notFound } as const;
const accessErrors = ['space_access_denied'] as const;

/** Test events, the log of deliveries, and sending deliveries again. */
export const webhookDeliveryRoutes = {
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
      body: { event_type: 'memory.created' },
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
    query: s.listDeliveriesQuery,
    responses: { 200: s.deliveryPage },
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
    params: s.deliveryParams,
    notFound,
    responses: { 200: s.delivery },
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
    params: s.deliveryParams,
    notFound,
    responses: { 200: s.retryDeliveryResponse },
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
