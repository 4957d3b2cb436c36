import { z } from 'zod';
import { eventSamples } from './event-samples.ts';
import { type EventType, eventTypes } from './events.ts';
import { idOutput } from './fields.ts';
import { sampleWebhook } from './samples.ts';
import { type Event, eventSchemas } from './schemas/events.ts';

type Json = Record<string, unknown>;

/**
 * The key below `data` in the payload form `wrapped`: the area of the type, as in `{memory: …}`.
 */
export const payloadWrapperKey = (type: string): string => type.slice(0, type.indexOf('.'));

/** The body of a webhook delivery of an event type, in both payload forms. */
export function webhookPayloadSchemas(type: EventType): {
  object: z.ZodObject;
  wrapped: z.ZodObject;
} {
  const { shape } = eventSchemas[type];
  const object = z.object({ ...shape, webhook_id: idOutput });
  const data = z.object({ [payloadWrapperKey(type)]: shape.data });
  return { object, wrapped: z.object({ ...shape, webhook_id: idOutput, data }) };
}

const headers: readonly (readonly [name: string, description: string])[] = [
  ['X-Webhook-ID', 'The id of the webhook.'],
  ['X-Webhook-Event', 'The event type.'],
  ['X-Webhook-Timestamp', 'Time of this attempt, in Unix seconds.'],
  ['X-Webhook-Signature', 'HMAC-SHA256 of `<timestamp>.<body>` with the secret.'],
  [
    'X-Webhook-Delivery-ID',
    'The id of the delivery. All attempts have the same id: use it to ignore duplicates.',
  ],
];

/** The `webhooks` section of the document: one entry for each event type. */
export function buildOpenApiWebhooks(schemaOf: (schema: z.ZodType) => Json): Json {
  return Object.fromEntries(
    (Object.keys(eventTypes) as EventType[]).map((type) => {
      const { object, wrapped } = webhookPayloadSchemas(type);
      const sample: Event = eventSamples[type];
      const sent = { ...sample, webhook_id: sampleWebhook.id };
      const operation = {
        operationId: `webhook.${type}`,
        summary: eventTypes[type],
        tags: ['webhooks'],
        security: [],
        parameters: headers.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { anyOf: [schemaOf(object), schemaOf(wrapped)] },
              examples: {
                object: { summary: 'payload_form: object', value: sent },
                wrapped: {
                  summary: 'payload_form: wrapped',
                  value: { ...sent, data: { [payloadWrapperKey(type)]: sample.data } },
                },
              },
            },
          },
        },
        responses: {
          '2XX': {
            description:
              'Received within 30 seconds. The service retries after any other response.',
          },
          '4XX': { description: 'Retried later, like any other failure.' },
        },
      };
      return [type, { post: operation }];
    }),
  );
}
