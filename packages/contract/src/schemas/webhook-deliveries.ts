import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import { withCanonicalFields } from '../canonical-fields.ts';
import {
  idInput,
  idOutput,
  jsonObjectOutput,
  pageFields,
  pagination,
  storableText,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope } from '../list-envelope.ts';
import { eventSubscriptions } from './webhooks.ts';

export const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;

export const delivery = withCanonicalFields(
  z.object({
    id: idOutput,
    webhook_id: idOutput,
    event_type: z.string(),
    event_id: idOutput,
    status: z.enum(deliveryStatuses),
    attempt_count: z.int(),
    attempt: z.int(),
    payload: jsonObjectOutput,
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    response_time_ms: z.int().nullable(),
    error_message: z.string().nullable(),
    error: z.string().nullable(),
    next_retry_at: timestampOutput.nullable(),
    created_at: timestampOutput,
    delivered_at: timestampOutput.nullable(),
  }),
  { attempt_count: 'attempt', error: 'error_message', next_attempt_at: 'next_retry_at' },
).meta({ id: 'WebhookDelivery' });

export const deliveryParams = z.strictObject({
  webhookId: idInput('webhook'),
  deliveryId: idInput('other'),
});

export const listDeliveriesQuery = z.strictObject({
  ...pageFields,
  status: z.enum(deliveryStatuses).optional(),
  event_type: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
  since: timestampInput.optional(),
  until: timestampInput.optional(),
});

export const deliveryPage = listEnvelope(
  z.object({
    data: z.array(delivery),
    pagination,
    deliveries: z.array(delivery).meta({ description: 'Alias of data.' }),
  }),
  { records: ['deliveries'], paging: 'offset' },
);

export const retryDeliveryResponse = z.object({
  success: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
});

export const testWebhookBody = withCanonicalNames(
  z.strictObject({
    event: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
    event_type: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
  }),
  { event_type: 'event' },
);

export const testWebhookResponse = z.object({
  success: z.boolean(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  response_time_ms: z.int().nullable(),
  error: z.string().nullable(),
  payload: jsonObjectOutput,
  headers_sent: z.record(z.string(), z.string()),
});

export const replayWebhookBody = z.strictObject({
  since: timestampInput,
  until: timestampInput.optional(),
  event_types: eventSubscriptions.optional(),
});
export const replayWebhookResponse = z.object({ job_id: idOutput });

export type WebhookDelivery = z.output<typeof delivery>;
