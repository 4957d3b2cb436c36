import {
  type ResponseBody,
  resolveIsActive,
  type routes,
  type ValidatedRequest,
  type Webhook,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeResourceQuota, recordAuditEntry } from '../accounts/index.ts';
import { type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  createUniqueName,
  hostOf,
  presentWebhook,
  replyWithETag,
  type WebhookRecord,
} from './model.ts';
import { encryptHeaders, encryptSecret, generateSecret } from './secrets.ts';
import { findBulkFieldErrors, findWebhookFieldErrors, requireValidSettings } from './settings.ts';
import { findNamesWithPrefix, initializeCursors, insertWebhook } from './store/webhooks.ts';

type NewWebhook = ValidatedRequest<typeof routes.webhooks.create>['body'];

interface CreatedWebhook {
  readonly record: WebhookRecord;
  readonly secret: string;
}

/** Throws 409 conflict where the name is taken, 403 quota_exceeded, and as requireSettings. */
export async function createWebhook(ctx: Ctx, body: NewWebhook): Promise<Reply<Webhook>> {
  await requireValidSettings(ctx, await findWebhookFieldErrors(ctx, { body }), [body]);
  return withTransaction(ctx, async (inTx) => {
    const [made] = await insertAll(inTx, [body]);
    if (!made) throw new Error('no webhook was made');
    return replyWithETag(made.record, made.secret);
  });
}

/** All or none. */
export async function createWebhooks(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.webhooks.bulkCreate>['body'],
): Promise<ResponseBody<typeof routes.webhooks.bulkCreate>> {
  await requireValidSettings(ctx, await findBulkFieldErrors(ctx, { body }), body.webhooks);
  return withTransaction(ctx, async (inTx) => {
    const made = await insertAll(inTx, body.webhooks);
    const webhooks = made.map(({ record, secret }) => presentWebhook(record, secret));
    return { created: webhooks.length, webhooks };
  });
}

/** Whoever makes webhooks of the account waits for the counter that is charged first. */
async function insertAll(inTx: TxCtx, bodies: readonly NewWebhook[]): Promise<CreatedWebhook[]> {
  const { tx, actor } = inTx;
  await chargeResourceQuota(inTx, actor, 'webhooks', bodies.length);
  const made: CreatedWebhook[] = [];
  for (const body of bodies) made.push(await make(inTx, body));
  const ids = made.map(({ record }) => record.id);
  await initializeCursors(tx, actor.accountId, ids);
  return made;
}

async function make(inTx: TxCtx, body: NewWebhook): Promise<CreatedWebhook> {
  const { actor, ids } = inTx;
  const { name, secret: given, headers } = body;
  const secret = given ?? generateSecret(inTx);
  const place = { account_id: actor.accountId, id: ids.uuid() };
  const now = inTx.clock.now();
  const record = await insert(inTx, name, {
    ...place,
    url: body.url,
    events: [...new Set(body.events)],
    description: body.description,
    space_id: body.space_id,
    filters: body.filters,
    spaces: visibleSpaces(actor),
    ...encryptSecret(inTx, place, secret),
    former_secret: null,
    former_secret_until: null,
    ...encryptHeaders(inTx, place, headers),
    max_retries: body.max_retries,
    retry_delay_seconds: body.retry_delay_seconds,
    retry_schedule: body.retry_schedule,
    payload_form: body.payload_form,
    signature_form: body.signature_form,
    is_active: resolveIsActive(body) ?? true,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
  });
  await recordAuditEntry(inTx, {
    action: 'webhook.created',
    accountId: place.account_id,
    targetId: place.id,
    details: { name: record.name, host: hostOf(record.url), events: record.events },
  });
  return { record, secret };
}

type Unnamed = Omit<Parameters<typeof insertWebhook>[1], 'name'>;

async function insert(
  { tx }: TxCtx,
  name: string | undefined,
  row: Unnamed,
): Promise<WebhookRecord> {
  if (name !== undefined) {
    const record = await insertWebhook(tx, { ...row, name });
    if (!record) throw nameTakenError(name);
    return record;
  }
  for (;;) {
    const taken = await findNamesWithPrefix(
      tx,
      row.account_id,
      createUniqueName(row.url, new Set()),
    );
    // Taken meanwhile by a change of another webhook's name: the next look sees it.
    const record = await insertWebhook(tx, { ...row, name: createUniqueName(row.url, taken) });
    if (record) return record;
  }
}

export const nameTakenError = (name: string): AppError =>
  new AppError('conflict', {
    message: `A webhook with the name ${name} exists.`,
    details: { name },
  });
