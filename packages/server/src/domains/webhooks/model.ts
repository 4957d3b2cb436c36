import type {
  payloadForms,
  retrySchedules,
  routes,
  signatureForms,
  ValidatedRequest,
  Webhook,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Actor, canUseSpaces } from '../ctx.ts';
import { Reply } from '../handler.ts';

/** Filters on the data of events; all must match. */
export type WebhookFilters = ValidatedRequest<typeof routes.webhooks.create>['body']['filters'];

export interface WebhookRecord {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: string[];
  readonly description: string | null;
  readonly space_id: string | null;
  readonly filters: WebhookFilters;
  /** Spaces whose events it may receive (`default`: no space); null: all. */
  readonly spaces: string[] | null;
  readonly secret: Uint8Array;
  readonly secret_hint: string;
  readonly previous_secret: Uint8Array | null;
  readonly previous_secret_expires_at: Date | null;
  readonly headers: Uint8Array;
  readonly header_names: string[];
  readonly max_retries: number;
  readonly retry_delay_seconds: number;
  readonly retry_schedule: string;
  readonly payload_form: string;
  readonly signature_form: string;
  readonly is_active: boolean;
  readonly disabled_reason: string | null;
  readonly cursor: number;
  readonly last_sequence_number: number;
  readonly total_deliveries: number;
  readonly successful_deliveries: number;
  readonly failed_deliveries: number;
  readonly failure_count: number;
  readonly last_triggered_at: Date | null;
  readonly lease_until: Date | null;
  readonly leased_by: string | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The masked secret in later responses; of a short secret only the end. */
export function maskSecret(secret: string): string {
  const characters = [...secret];
  const head = characters.length >= 32 ? characters.slice(0, 4) : [];
  return [...head, '…', ...characters.slice(-4)].join('');
}

/** Placeholder for a secret value. */
export const maskedValue = '***';

/** @param secret in full if this response created it */
export function presentWebhook(record: WebhookRecord, secret: string | null = null): Webhook {
  return {
    id: record.id,
    name: record.name,
    url: record.url,
    events: record.events,
    description: record.description,
    secret: secret ?? record.secret_hint,
    space_id: record.space_id,
    headers: Object.fromEntries(record.header_names.map((name) => [name, maskedValue])),
    filters: { ...record.filters },
    max_retries: record.max_retries,
    retry_delay_seconds: record.retry_delay_seconds,
    retry_schedule: record.retry_schedule as (typeof retrySchedules)[number],
    payload_form: record.payload_form as (typeof payloadForms)[number],
    signature_form: record.signature_form as (typeof signatureForms)[number],
    is_active: record.is_active,
    enabled: record.is_active,
    status: record.is_active ? 'active' : 'paused',
    disabled_reason: record.disabled_reason,
    total_deliveries: record.total_deliveries,
    successful_deliveries: record.successful_deliveries,
    failed_deliveries: record.failed_deliveries,
    failure_count: record.failure_count,
    last_triggered_at: record.last_triggered_at?.toISOString() ?? null,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}

const etagOf = (record: WebhookRecord): string => `"${record.revision}"`;

/** The webhook with its ETag, which covers the settings but not the counters. */
export const replyWithETag = (
  record: WebhookRecord,
  secret: string | null = null,
): Reply<Webhook> =>
  new Reply(presentWebhook(record, secret), { headers: { etag: etagOf(record) } });

/** Throws 412 precondition_failed if the caller's ETag does not match the webhook's. */
export function requireETagMatch(record: WebhookRecord, ifMatch: readonly string[] | null): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(record.revision)))
    return;
  throw new AppError('precondition_failed', { details: { etag: etagOf(record) } });
}

/**
 * Throws 403 space_access_denied if the webhook receives events of spaces that the key may not use:
 * changing its URL or reading its deliveries would reveal them.
 */
export function requireAccessToWebhookSpaces(
  actor: Actor,
  { spaces }: Pick<WebhookRecord, 'spaces'>,
): void {
  if (canUseSpaces(actor, spaces)) return;
  throw new AppError('space_access_denied', {
    message: 'The webhook receives events of spaces that the key may not use.',
  });
}

/** Reserves space for the number within the maximum length of a name. */
const hostCharactersMax = 200;

/** The host of the URL, with a number from 2 on if the name is in use. */
export function generateWebhookName(url: string, taken: ReadonlySet<string>): string {
  const host = hostOf(url).slice(0, hostCharactersMax);
  let name = host;
  for (let n = 2; taken.has(name); n += 1) name = `${host} ${n}`;
  return name;
}

export const hostOf = (url: string): string => new URL(url).host;
