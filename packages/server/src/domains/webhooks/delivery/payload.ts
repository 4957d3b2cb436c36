import type { payloadForms } from '@mneme/contract';
import type { StoredEvent } from '../../../events/outbox.ts';

export type PayloadForm = (typeof payloadForms)[number];

/** Wrapper names that differ from the area of the event type. */
const wrappers: Readonly<Record<string, string>> = { audio: 'memory' };

/**
 * The body of a delivery, identical at each attempt, with the fields of both published formats.
 * `wrapped` nests the data under the name of its kind: `{memory: …}`.
 */
export function buildPayload(
  event: Omit<StoredEvent, 'position' | 'second_space' | 'hidden_from'>,
  webhook: { readonly id: string; readonly payload_form: PayloadForm },
): string {
  const area = event.type.split('.', 1)[0] ?? '';
  const data =
    webhook.payload_form === 'object' ? event.data : { [wrappers[area] ?? area]: event.data };
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.created_at.toISOString(),
    webhook_id: webhook.id,
    space_id: event.space_id,
    data,
    previous_data: event.previous_data,
    changes: event.changes,
  });
}

/** The body that `POST /webhooks/:id/test` sends. `named`: the event type from the request. */
export const buildTestPayload = (test: {
  readonly id: string;
  readonly at: Date;
  readonly webhookId: string;
  readonly named: string | null;
}) => ({
  id: test.id,
  event: 'webhook.test',
  type: 'webhook.test',
  created_at: test.at.toISOString(),
  webhook_id: test.webhookId,
  data: {
    webhook_id: test.webhookId,
    message: 'A test by Mneme.',
    test: true,
    ...(test.named === null ? {} : { event_type: test.named }),
  },
});
