import { type Answer, activityOf, type Checked, type routes, type Webhook } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeHeld, recordChange } from '../accounts/index.ts';
import { type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { freeName, hostOf, presentWebhook, replyWith, type WebhookRecord } from './model.ts';
import { makeSecret, sealHeaders, sealSecret } from './secrets.ts';
import { faultsOfMany, faultsOfOne, requireSettings } from './settings.ts';
import { beginTelling, insertWebhook, namesLike } from './store.ts';

type NewWebhook = Checked<typeof routes.webhooks.create>['body'];

interface Made {
  readonly record: WebhookRecord;
  readonly secret: string;
}

/** Throws 409 conflict where the name is taken, 403 quota_exceeded, and as requireSettings. */
export async function createWebhook(ctx: Ctx, body: NewWebhook): Promise<Reply<Webhook>> {
  await requireSettings(ctx, await faultsOfOne(ctx, { body }), [body]);
  return withTransaction(ctx, async (inTx) => {
    const [made] = await makeAll(inTx, [body]);
    if (!made) throw new Error('no webhook was made');
    return replyWith(made.record, made.secret);
  });
}

/** All or none. */
export async function createWebhooks(
  ctx: Ctx,
  body: Checked<typeof routes.webhooks.bulkCreate>['body'],
): Promise<Answer<typeof routes.webhooks.bulkCreate>> {
  await requireSettings(ctx, await faultsOfMany(ctx, { body }), body.webhooks);
  return withTransaction(ctx, async (inTx) => {
    const made = await makeAll(inTx, body.webhooks);
    const webhooks = made.map(({ record, secret }) => presentWebhook(record, secret));
    return { created: webhooks.length, webhooks };
  });
}

/** Whoever makes webhooks of the account waits for the counter that is charged first. */
async function makeAll(inTx: TxCtx, bodies: readonly NewWebhook[]): Promise<Made[]> {
  const { tx, actor } = inTx;
  await chargeHeld(inTx, actor, 'webhooks', bodies.length);
  const made: Made[] = [];
  for (const body of bodies) made.push(await make(inTx, body));
  const ids = made.map(({ record }) => record.id);
  await beginTelling(tx, actor.accountId, ids);
  return made;
}

async function make(inTx: TxCtx, body: NewWebhook): Promise<Made> {
  const { actor, ids } = inTx;
  const { name, secret: given, headers } = body;
  const secret = given ?? makeSecret(inTx);
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
    ...sealSecret(inTx, place, secret),
    former_secret: null,
    former_secret_until: null,
    ...sealHeaders(inTx, place, headers),
    max_retries: body.max_retries,
    retry_delay_seconds: body.retry_delay_seconds,
    retry_schedule: body.retry_schedule,
    payload_form: body.payload_form,
    signature_form: body.signature_form,
    is_active: activityOf(body) ?? true,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
  });
  await recordChange(inTx, {
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
    if (!record) throw nameTaken(name);
    return record;
  }
  for (;;) {
    const taken = await namesLike(tx, row.account_id, freeName(row.url, new Set()));
    // Taken meanwhile by a change of another webhook's name: the next look sees it.
    const record = await insertWebhook(tx, { ...row, name: freeName(row.url, taken) });
    if (record) return record;
  }
}

export const nameTaken = (name: string): AppError =>
  new AppError('conflict', {
    message: `A webhook with the name ${name} exists.`,
    details: { name },
  });
