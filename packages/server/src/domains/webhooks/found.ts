import type { Db } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { requireReach, type WebhookRecord } from './model.ts';
import { findWebhook } from './store.ts';

/** Throws 404 not_found, 403 space_access_denied. */
export async function knownWebhook(ctx: Ctx, id: string, db?: Db): Promise<WebhookRecord> {
  return allowed(ctx, await findWebhook(db ?? ctx.engine.db, ctx.actor.accountId, id));
}

/** The same, and it does not change until the transaction ends. */
export async function lockedWebhook(inTx: TxCtx, id: string): Promise<WebhookRecord> {
  return allowed(inTx, await findWebhook(inTx.tx, inTx.actor.accountId, id, true));
}

function allowed({ actor }: Ctx, webhook: WebhookRecord | undefined): WebhookRecord {
  if (!webhook) throw new AppError('not_found');
  requireReach(actor, webhook);
  return webhook;
}
