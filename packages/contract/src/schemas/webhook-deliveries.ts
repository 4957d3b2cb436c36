import { z } from 'zod';
import {
  idIn,
  idOut,
  jsonOut,
  pageFields,
  pagination,
  text,
  timestampIn,
  timestampOut,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { eventSubscriptions } from './webhooks.ts';

export const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;

export const delivery = z
  .object({
    id: idOut,
    webhook_id: idOut,
    event_type: z.string(),
    event_id: idOut,
    status: z.enum(deliveryStatuses),
    attempt_count: z.int(),
    attempt: z.int().meta({ description: 'Alias of attempt_count.' }),
    payload: jsonOut,
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    response_time_ms: z.int().nullable(),
    error_message: z.string().nullable(),
    error: z.string().nullable().meta({ description: 'Alias of error_message.' }),
    next_retry_at: timestampOut.nullable(),
    created_at: timestampOut,
    delivered_at: timestampOut.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryParams = z.strictObject({
  webhookId: idIn('webhook'),
  deliveryId: idIn('other'),
});

export const listDeliveriesQuery = z.strictObject({
  ...pageFields,
  status: z.enum(deliveryStatuses).optional(),
  event_type: text({ min: 1, max: limits.nameCharactersMax }).optional(),
  since: timestampIn.optional(),
  until: timestampIn.optional(),
});

export const deliveryPage = z.object({
  data: z.array(delivery),
  pagination,
  deliveries: z.array(delivery).meta({ description: 'Alias of data.' }),
});

export const retryDeliveryResponse = z.object({
  success: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
});

export const testWebhookBody = z.strictObject({
  event: text({ min: 1, max: limits.nameCharactersMax }).optional(),
  event_type: text({ min: 1, max: limits.nameCharactersMax }).optional(),
});

export const testWebhookResponse = z.object({
  success: z.boolean(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  response_time_ms: z.int().nullable(),
  error: z.string().nullable(),
  payload: jsonOut,
  headers_sent: z.record(z.string(), z.string()),
});

export const replayWebhookBody = z.strictObject({
  since: timestampIn,
  until: timestampIn.optional(),
  event_types: eventSubscriptions.optional(),
});
export const replayWebhookResponse = z.object({ job_id: idOut });

export type WebhookDelivery = z.output<typeof delivery>;
