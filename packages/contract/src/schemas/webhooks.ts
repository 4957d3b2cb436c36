import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  customIssue,
  idIn,
  idOut,
  integer,
  jsonOut,
  metadata,
  pageFields,
  pagination,
  spaceFilter,
  spaceRef,
  tags,
  text,
  timestampIn,
  timestampOut,
} from './fields.ts';
import { contentTypes } from './memories.ts';

export const payloadForms = ['object', 'wrapped'] as const;
export const signatureForms = ['timestamped', 'hex'] as const;
export const retrySchedules = ['standard', 'short'] as const;

/** Whether the host may be reached is told when it is, since names change their addresses. */
const url = text({ min: 1, max: limits.webhookUrlCharactersMax })
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    customIssue('invalid_format', 'must be an absolute https URL'),
  )
  .meta({ format: 'uri' });

/** `*`, `<area>.*` or a name; what is none of them is 400 invalid_events. */
const subscriptions = z
  .array(text({ min: 1, max: limits.nameCharactersMax }))
  .min(1)
  .max(limits.webhookEventsMax)
  .meta({ description: 'Event types, `*` for all, or `<area>.*`.' });

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,1000}$/;

const headers = z
  .record(
    z
      .string()
      .refine(
        (name) => headerName.test(name),
        customIssue('invalid_format', 'must be a header name'),
      ),
    z
      .string()
      .refine(
        (one) => headerValue.test(one),
        customIssue('invalid_format', 'must be a header value'),
      ),
  )
  .refine(
    (all) => Object.keys(all).length <= limits.webhookHeadersMax,
    customIssue('invalid_range', `must have at most ${limits.webhookHeadersMax} headers`),
  )
  .meta({ description: 'Added to each delivery; none of ours can be replaced.' });

const filters = z
  .strictObject({
    tags: tags.optional(),
    content_type: z.array(z.enum(contentTypes)).optional(),
    min_priority: integer({ min: 1, max: 10 }).optional(),
    metadata: metadata.optional(),
    space_ids: z.array(idIn('other')).max(limits.webhookEventsMax).optional(),
  })
  .meta({
    id: 'WebhookFilters',
    description:
      'All must match what the event is about; an event that has no such field does not.',
  });

const description = text({ max: limits.descriptionCharactersMax }).nullable();
const secret = text({ min: limits.webhookSecretCharactersMin, max: limits.nameCharactersMax });

const webhookFields = {
  name: text({ min: 1, max: limits.nameCharactersMax }),
  url,
  events: subscriptions,
  description,
  secret,
  space_id: spaceRef.meta({
    description: 'Only events of this space; null or "default": of all that the key may see.',
  }),
  headers,
  filters,
  max_retries: integer({ min: 0, max: limits.webhookRetriesMax }),
  retry_delay_seconds: integer({ min: 10, max: 3_600 }),
  retry_schedule: z.enum(retrySchedules),
  payload_form: z.enum(payloadForms),
  signature_form: z.enum(signatureForms),
  is_active: z.boolean(),
  enabled: z.boolean().meta({ description: 'The same as is_active.' }),
  status: z.enum(['active', 'paused']).meta({ description: 'The same as is_active.' }),
};

const activityAliases = ['is_active', 'enabled', 'status'] as const;
interface ActivityFields {
  readonly is_active?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  readonly status?: 'active' | 'paused' | undefined;
}

/** What the three names for one thing say together; undefined: nothing. */
export function resolveIsActive({
  is_active,
  enabled,
  status,
}: ActivityFields): boolean | undefined {
  return is_active ?? enabled ?? (status === undefined ? undefined : status === 'active');
}

function isConsistentActivity(value: unknown): boolean {
  const { is_active, enabled, status } = value as ActivityFields;
  const said = [is_active, enabled, status && status === 'active'].filter(
    (one) => one !== undefined,
  );
  return new Set(said).size <= 1;
}

const conflictingActivityIssue = {
  ...customIssue('invalid_format', `${activityAliases.join(', ')} must say the same`),
  path: ['is_active'],
};

export const createWebhookBody = z
  .strictObject({
    ...webhookFields,
    name: webhookFields.name.optional().meta({ description: "Without one: the URL's host." }),
    description: description.default(null),
    secret: secret.optional().meta({ description: 'Without one it is made: 32 random bytes.' }),
    space_id: webhookFields.space_id.default(null),
    headers: headers.default({}),
    filters: filters.default({}),
    max_retries: webhookFields.max_retries.default(limits.webhookRetriesDefault),
    retry_delay_seconds: webhookFields.retry_delay_seconds.default(limits.webhookRetryDelayDefault),
    retry_schedule: webhookFields.retry_schedule.default('standard'),
    payload_form: webhookFields.payload_form.default('object'),
    signature_form: webhookFields.signature_form.default('timestamped'),
    is_active: webhookFields.is_active.optional(),
    enabled: webhookFields.enabled.optional(),
    status: webhookFields.status.optional(),
  })
  .refine(isConsistentActivity, conflictingActivityIssue)
  .meta({ id: 'CreateWebhook' });

export const patchWebhookBody = z
  .strictObject(webhookFields)
  .partial()
  .extend({
    rotate_secret: z
      .boolean()
      .optional()
      .meta({ description: 'Makes a new secret where none is given.' }),
  })
  .refine(isConsistentActivity, conflictingActivityIssue)
  .meta({ id: 'PatchWebhook' });

export const webhook = z
  .object({
    id: idOut,
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    secret: z.string().meta({
      description: 'In full in the answer that made it, and masked in every other.',
    }),
    space_id: idOut.nullable(),
    headers: z.record(z.string(), z.string()).meta({ description: 'Values are masked.' }),
    filters: jsonOut,
    max_retries: z.int(),
    retry_delay_seconds: z.int(),
    retry_schedule: z.enum(retrySchedules),
    payload_form: z.enum(payloadForms),
    signature_form: z.enum(signatureForms),
    is_active: z.boolean(),
    enabled: z.boolean(),
    status: z.enum(['active', 'paused']),
    disabled_reason: z.string().nullable(),
    total_deliveries: z.int(),
    successful_deliveries: z.int(),
    failed_deliveries: z.int(),
    failure_count: z.int().meta({ description: 'Failed attempts since the last success.' }),
    last_triggered_at: timestampOut.nullable(),
    created_at: timestampOut,
    updated_at: timestampOut,
  })
  .meta({ id: 'Webhook' });

export const webhookParams = z.strictObject({ webhookId: idIn('webhook') });
export const listWebhooksQuery = z.strictObject({
  ...pageFields,
  event: text({ min: 1, max: limits.nameCharactersMax }).optional().meta({
    description: 'Only those that are told of this event type.',
  }),
  is_active: z.boolean().optional(),
  space_id: spaceFilter.optional().meta({
    description: 'Only those that are bound to this space; "null" or "default": to none.',
  }),
});

export const webhookPage = z.object({
  data: z.array(webhook),
  pagination,
  webhooks: z.array(webhook).meta({ description: 'The same as data.' }),
  total: z.int(),
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

export const webhookStats = z.object({
  total_webhooks: z.int(),
  active_webhooks: z.int(),
  inactive_webhooks: z.int(),
  total_deliveries: z.int(),
  successful_deliveries: z.int(),
  failed_deliveries: z.int(),
  events_distribution: z.array(z.object({ event: z.string(), webhook_count: z.int() })),
});

export const webhookEventTypes = z.object({
  event_types: z.array(z.string()),
  details: z.array(z.object({ type: z.string(), description: z.string() })),
});

export const bulkCreateWebhooksBody = z.strictObject({
  webhooks: z.array(createWebhookBody).min(1).max(limits.bulkItemsMax),
});
export const bulkCreateWebhooksResponse = z.object({
  created: z.int(),
  webhooks: z.array(webhook),
});

export const bulkDeleteWebhooksBody = z.strictObject({
  ids: z.array(idIn('webhook')).min(1).max(limits.bulkItemsMax),
});
export const bulkDeleteWebhooksResponse = z.object({ deleted: z.int(), ids: z.array(idOut) });

export const replayWebhookBody = z.strictObject({
  since: timestampIn,
  until: timestampIn.optional(),
  event_types: subscriptions.optional(),
});
export const replayWebhookResponse = z.object({ job_id: idOut });

export type Webhook = z.output<typeof webhook>;
