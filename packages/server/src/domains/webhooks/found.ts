import { AppError } from '../../kernel/errors.ts';
import { type Ctx, inTransaction, type TxCtx } from '../ctx.ts';
import { requireReach, type WebhookRecord } from './model.ts';
import { findWebhook, lockWebhooks } from './store.ts';

/** Throws 404 not_found, 403 space_access_denied. */
export async function knownWebhook(ctx: Ctx, id: string): Promise<WebhookRecord> {
  const db = inTransaction(ctx) ? ctx.tx : ctx.engine.db;
  return allowed(ctx, await findWebhook(db, ctx.actor.accountId, id));
}

/** The same, and it does not change until the transaction ends. */
export async function lockedWebhook(inTx: TxCtx, id: string): Promise<WebhookRecord> {
  const [webhook] = await lockWebhooks(inTx.tx, inTx.actor.accountId, [id]);
  return allowed(inTx, webhook);
}

function allowed({ actor }: Ctx, webhook: WebhookRecord | undefined): WebhookRecord {
  if (!webhook) throw new AppError('not_found');
  requireReach(actor, webhook);
  return webhook;
}
