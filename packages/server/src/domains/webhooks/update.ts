import { isDeepStrictEqual } from 'node:util';
import { activityOf, type Checked, type routes, type Webhook } from '@mneme/contract';
import { isUniqueViolation } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { recordChange } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { nameTaken } from './create.ts';
import { lockedWebhook } from './found.ts';
import { hostOf, replyWith, requireMatch, type WebhookRecord } from './model.ts';
import { isPresentSecret, makeSecret, rotateSecret, sealHeaders } from './secrets.ts';
import { faultsOfOne, requireSettings } from './settings.ts';
import { type Settings, updateWebhookRow } from './store.ts';

type Patch = Checked<typeof routes.webhooks.update>['body'];

/**
 * Changes what is named; the answer has a new secret in full. Throws 404 not_found, 403
 * space_access_denied, 412 precondition_failed, 409 conflict for a name that is taken.
 */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  body: Patch,
  ifMatch: readonly string[] | null,
): Promise<Reply<Webhook>> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockedWebhook(inTx, id);
    requireMatch(before, ifMatch);
    await requireChange(inTx, before, body);
    const secret = newSecret(inTx, before, body);
    const changes = changesOf(inTx, before, body, secret);
    if (Object.keys(changes).length === 0) return replyWith(before);
    const now = inTx.clock.now();
    const after = await updateWebhookRow(inTx.tx, before, changes, now).catch((error: unknown) => {
      throw isUniqueViolation(error, 'webhooks_name') ? nameTaken(body.name ?? '') : error;
    });
    await record(inTx, after, changes);
    return replyWith(after, secret);
  });
}

/** A space that it names already may be gone by now. */
async function requireChange(inTx: TxCtx, before: WebhookRecord, body: Patch): Promise<void> {
  const { space_id: id, filters, ...others } = body;
  const space_id = id === before.space_id ? undefined : id;
  const changed = isDeepStrictEqual(filters, before.filters) ? undefined : filters;
  const faults = await faultsOfOne(inTx, { body });
  await requireSettings(inTx, faults, [{ ...others, space_id, filters: changed }]);
  if (!space_id || before.spaces === null || before.spaces.includes(space_id)) return;
  throw new AppError('space_access_denied', {
    message: 'The webhook is told of the spaces alone that the key which made it could use.',
    details: { space_id },
  });
}

/** Null where the present one stays. */
function newSecret(inTx: TxCtx, before: WebhookRecord, body: Patch): string | null {
  const { secret, rotate_secret: rotate } = body;
  if (secret === undefined) return rotate ? makeSecret(inTx) : null;
  return isPresentSecret(inTx, before, secret) ? null : secret;
}

const plain = [
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
): Partial<Settings> {
  const { filters } = body;
  const active = activityOf(body);
  const events = body.events && [...new Set(body.events)];
  const named = plain.filter((field) => body[field] !== undefined && body[field] !== before[field]);
  return {
    ...(Object.fromEntries(named.map((field) => [field, body[field]])) as Partial<Settings>),
    ...(events && !isDeepStrictEqual(events, before.events) ? { events } : {}),
    ...(filters && !isDeepStrictEqual(filters, before.filters) ? { filters } : {}),
    ...(body.headers ? sealHeaders(inTx, before, body.headers) : {}),
    ...(secret === null ? {} : rotateSecret(inTx, before, secret, inTx.clock.now())),
    ...(active === undefined || active === before.is_active ? {} : activity(active)),
  };
}

/** Whoever switches it on again begins anew with the endpoint. */
const activity = (isActive: boolean): Partial<Settings> =>
  isActive
    ? { is_active: true, disabled_reason: null, failure_count: 0 }
    : { is_active: false, disabled_reason: null };

const kept = new Set<string>(['secret_hint', 'former_secret', 'former_secret_until']);
const derived = new Set<string>(['header_names', 'failure_count', 'disabled_reason']);

/** Which settings were changed, and never a value that may hold a secret. */
async function record(
  inTx: TxCtx,
  { account_id: accountId, id, name, url }: WebhookRecord,
  changes: Partial<Settings>,
): Promise<void> {
  const changed = Object.keys(changes).filter((field) => !kept.has(field) && !derived.has(field));
  const details = { name, host: hostOf(url), changes: changed };
  await recordChange(inTx, { action: 'webhook.updated', accountId, targetId: id, details });
}
