import { isDeepStrictEqual } from 'node:util';
import {
  resolveIsActiveAliases,
  type routes,
  type ValidatedRequest,
  type Webhook,
} from '@mneme/contract';
import { isUniqueViolation } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { recordAuditEntry } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { nameTakenError } from './create.ts';
import { lockVisibleWebhook } from './lookup.ts';
import { hostOf, replyWithETag, requireETagMatch, type WebhookRecord } from './model.ts';
import { encryptHeaders, generateSecret, isCurrentSecret, rotateSecret } from './secrets.ts';
import { findWebhookFieldErrors, requireValidWebhookSettings } from './settings.ts';
import { updateWebhookRow, type WebhookSettings } from './store/webhooks.ts';

type Patch = ValidatedRequest<typeof routes.webhooks.update>['body'];

/**
 * Changes the fields that are set; the response has a new secret in full. Throws 404 not_found, 403
 * space_access_denied, 412 precondition_failed, 409 conflict for a name in use.
 */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  body: Patch,
  ifMatch: readonly string[] | null,
): Promise<Reply<Webhook>> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockVisibleWebhook(inTx, id);
    requireETagMatch(before, ifMatch);
    await requireValidChange(inTx, before, body);
    const secret = newSecret(inTx, before, body);
    const changes = changesOf(inTx, before, body, secret);
    if (Object.keys(changes).length === 0) return replyWithETag(before);
    const now = inTx.clock.now();
    const after = await updateWebhookRow(inTx.tx, before, changes, now).catch((error: unknown) => {
      throw isUniqueViolation(error, 'webhooks_name') ? nameTakenError(body.name ?? '') : error;
    });
    await record(inTx, after, changes);
    return replyWithETag(after, secret);
  });
}

/** Skips an unchanged space: it may have been removed. */
async function requireValidChange(inTx: TxCtx, before: WebhookRecord, body: Patch): Promise<void> {
  const { space_id: id, filters, ...others } = body;
  const space_id = id === before.space_id ? undefined : id;
  const changedFilters = isDeepStrictEqual(filters, before.filters) ? undefined : filters;
  const errors = await findWebhookFieldErrors(inTx, { body });
  await requireValidWebhookSettings(inTx, errors, [
    { ...others, space_id, filters: changedFilters },
  ]);
  if (!space_id || before.spaces === null || before.spaces.includes(space_id)) return;
  throw new AppError('space_access_denied', {
    message: 'The webhook is limited to the spaces of the key that created it.',
    details: { space_id },
  });
}

/** Null if the current secret stays. */
function newSecret(inTx: TxCtx, before: WebhookRecord, body: Patch): string | null {
  const { secret, rotate_secret: rotate } = body;
  if (secret === undefined) return rotate ? generateSecret(inTx) : null;
  return isCurrentSecret(inTx, before, secret) ? null : secret;
}

const scalarSettings = [
  'name',
  'url',
  'description',
  'space_id',
  'max_retries',
  'retry_delay_seconds',
  'retry_schedule',
  'payload_form',
  'signature_form',
] as const;

function changesOf(
  inTx: TxCtx,
  before: WebhookRecord,
  body: Patch,
  secret: string | null,
): Partial<WebhookSettings> {
  const { filters } = body;
  const active = resolveIsActiveAliases(body);
  const events = body.events && [...new Set(body.events)];
  const changedFields = scalarSettings.filter(
    (field) => body[field] !== undefined && body[field] !== before[field],
  );
  return {
    ...(Object.fromEntries(
      changedFields.map((field) => [field, body[field]]),
    ) as Partial<WebhookSettings>),
    ...(events && !isDeepStrictEqual(events, before.events) ? { events } : {}),
    ...(filters && !isDeepStrictEqual(filters, before.filters) ? { filters } : {}),
    ...(body.headers ? encryptHeaders(inTx, before, body.headers) : {}),
    ...(secret === null ? {} : rotateSecret(inTx, before, secret, inTx.clock.now())),
    ...(active === undefined || active === before.is_active ? {} : activationOf(active)),
  };
}

/** Enabling a webhook resets its failures. */
const activationOf = (isActive: boolean): Partial<WebhookSettings> =>
  isActive
    ? { is_active: true, disabled_reason: null, failure_count: 0 }
    : { is_active: false, disabled_reason: null };

const secretFields = new Set<string>([
  'secret_hint',
  'previous_secret',
  'previous_secret_expires_at',
]);
const derived = new Set<string>(['header_names', 'failure_count', 'disabled_reason']);

/** Records which settings were changed, but never a value that may contain a secret. */
async function record(
  inTx: TxCtx,
  { account_id: accountId, id, name, url }: WebhookRecord,
  changes: Partial<WebhookSettings>,
): Promise<void> {
  const changed = Object.keys(changes).filter(
    (field) => !secretFields.has(field) && !derived.has(field),
  );
  const details = { name, host: hostOf(url), changes: changed };
  await recordAuditEntry(inTx, { action: 'webhook.updated', accountId, targetId: id, details });
}
