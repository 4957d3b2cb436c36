import { z } from 'zod';
import { eventSamples } from './event-samples.ts';
import { type EventType, eventTypes } from './events.ts';
import { sampleWebhook } from './samples.ts';
import { type Event, eventSchemas } from './schemas/events.ts';
import { idOut } from './schemas/fields.ts';

type Json = Record<string, unknown>;

/** What `data` is wrapped in by the payload form `wrapped`: the area, as in `{memory: …}`. */
export const payloadWrapperKey = (type: string): string => type.slice(0, type.indexOf('.'));

/** An event as a webhook gets it, in both payload forms. */
export function webhookPayloadSchemas(type: EventType): {
  object: z.ZodObject;
  wrapped: z.ZodObject;
} {
  const { shape } = eventSchemas[type];
  const object = z.object({ ...shape, webhook_id: idOut });
  const data = z.object({ [payloadWrapperKey(type)]: shape.data });
  return { object, wrapped: z.object({ ...shape, webhook_id: idOut, data }) };
}

const headers: readonly (readonly [name: string, description: string])[] = [
  ['X-Webhook-ID', 'The webhook.'],
  ['X-Webhook-Event', 'The event type.'],
  ['X-Webhook-Timestamp', 'When this attempt was made, in Unix seconds.'],
  ['X-Webhook-Signature', 'HMAC-SHA256 of `<timestamp>.<body>` with the secret.'],
  ['X-Webhook-Delivery-ID', 'The same at each attempt: what was handled already can be told.'],
];

/** The `webhooks` section: one entry for each event type. */
export function describeWebhooks(schemaOf: (schema: z.ZodType) => Json): Json {
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
          '2XX': { description: 'Received, within 30 seconds; anything else is tried again.' },
          '4XX': { description: 'Tried again later, as any other failure.' },
        },
      };
      return [type, { post: operation }];
    }),
  );
}
