import {
  type ResponseBody,
  resolveIsActiveAliases,
  type routes,
  type ValidatedRequest,
  type Webhook,
} from '@mneme/contract';
import { startCursors } from '../../events/event-cursor.ts';
import { AppError } from '../../kernel/errors.ts';
import { chargeResourceQuota, recordAuditEntry } from '../accounts/index.ts';
import { type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  generateWebhookName,
  hostOf,
  presentWebhook,
  replyWithETag,
  type WebhookRecord,
} from './model.ts';
import { encryptHeaders, encryptSecret, generateSecret } from './secrets.ts';
import {
  findBulkWebhookFieldErrors,
  findWebhookFieldErrors,
  requireValidWebhookSettings,
} from './settings.ts';
import { findNamesWithPrefix, insertWebhook } from './store/webhooks.ts';

type NewWebhook = ValidatedRequest<typeof routes.webhooks.create>['body'];

interface CreatedWebhook {
  readonly record: WebhookRecord;
  readonly secret: string;
}

/** Throws 409 conflict (the name is in use), 403 quota_exceeded; as requireValidWebhookSettings. */
export async function createWebhook(ctx: Ctx, body: NewWebhook): Promise<Reply<Webhook>> {
  await requireValidWebhookSettings(ctx, await findWebhookFieldErrors(ctx, { body }), [body]);
  return withTransaction(ctx, async (inTx) => {
    const [created] = await insertAll(inTx, [body]);
    if (!created) throw new Error('no webhook was inserted');
    return replyWithETag(created.record, created.secret);
  });
}

/** Creates all or none. */
export async function createWebhooks(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.webhooks.bulkCreate>['body'],
): Promise<ResponseBody<typeof routes.webhooks.bulkCreate>> {
  await requireValidWebhookSettings(
    ctx,
    await findBulkWebhookFieldErrors(ctx, { body }),
    body.webhooks,
  );
  return withTransaction(ctx, async (inTx) => {
    const created = await insertAll(inTx, body.webhooks);
    const webhooks = created.map(({ record, secret }) => presentWebhook(record, secret));
    return { created: webhooks.length, webhooks };
  });
}

/** The counter is charged first, which serializes creations of the account. */
async function insertAll(inTx: TxCtx, bodies: readonly NewWebhook[]): Promise<CreatedWebhook[]> {
  const { tx, actor } = inTx;
  await chargeResourceQuota(inTx, actor, 'webhooks', bodies.length);
  const created: CreatedWebhook[] = [];
  for (const body of bodies) created.push(await insertOne(inTx, body));
  const ids = created.map(({ record }) => record.id);
  await startCursors(tx, 'webhooks', actor.accountId, ids);
  return created;
}

async function insertOne(inTx: TxCtx, body: NewWebhook): Promise<CreatedWebhook> {
  const { actor, ids } = inTx;
  const { name, secret: requestedSecret, headers } = body;
  const secret = requestedSecret ?? generateSecret(inTx);
  const rowId = { account_id: actor.accountId, id: ids.uuid() };
  const now = inTx.clock.now();
  const record = await insert(inTx, name, {
    ...rowId,
    url: body.url,
    events: [...new Set(body.events)],
    description: body.description,
    space_id: body.space_id ?? null,
    filters: body.filters,
    spaces: visibleSpaces(actor),
    ...encryptSecret(inTx, rowId, secret),
    previous_secret: null,
    previous_secret_expires_at: null,
    ...encryptHeaders(inTx, rowId, headers),
    max_retries: body.max_retries,
    retry_delay_seconds: body.retry_delay_seconds,
    retry_schedule: body.retry_schedule,
    payload_form: body.payload_form,
    signature_form: body.signature_form,
    is_active: resolveIsActiveAliases(body) ?? true,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
  });
  await recordAuditEntry(inTx, {
    action: 'webhook.created',
    accountId: rowId.account_id,
    targetId: rowId.id,
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
    const usedNames = await findNamesWithPrefix(
      tx,
      row.account_id,
      generateWebhookName(row.url, new Set()),
    );
    // The name may be taken concurrently; the next iteration reads it.
    const record = await insertWebhook(tx, {
      ...row,
      name: generateWebhookName(row.url, usedNames),
    });
    if (record) return record;
  }
}

export const nameTakenError = (name: string): AppError =>
  new AppError('conflict', {
    message: `A webhook with the name ${name} already exists.`,
    details: { name },
  });
