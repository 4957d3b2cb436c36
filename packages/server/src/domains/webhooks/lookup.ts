import { AppError } from '../../kernel/errors.ts';
import { type Ctx, isInTransaction, type TxCtx } from '../ctx.ts';
import { requireAccessToWebhookSpaces, type WebhookRecord } from './model.ts';
import { findWebhook, lockWebhooks } from './store/webhooks.ts';

/** Throws 404 not_found, 403 space_access_denied. */
export async function readVisibleWebhook(ctx: Ctx, id: string): Promise<WebhookRecord> {
  const db = isInTransaction(ctx) ? ctx.tx : ctx.engine.db;
  return requireVisibleWebhook(ctx, await findWebhook(db, ctx.actor.accountId, id));
}

/** The same, locked until the transaction ends. */
export async function lockVisibleWebhook(inTx: TxCtx, id: string): Promise<WebhookRecord> {
  const [webhook] = await lockWebhooks(inTx.tx, inTx.actor.accountId, [id]);
  return requireVisibleWebhook(inTx, webhook);
}

function requireVisibleWebhook({ actor }: Ctx, webhook: WebhookRecord | undefined): WebhookRecord {
  if (!webhook) throw new AppError('not_found');
  requireAccessToWebhookSpaces(actor, webhook);
  return webhook;
}
