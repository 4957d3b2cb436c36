import type { ResponseBody, routes } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { chargeResourceQuota, recordAuditEntry } from '../accounts/index.ts';
import { type App, type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../ctx.ts';
import { lockVisibleWebhook } from './lookup.ts';
import { requireAccessToWebhookSpaces, requireETagMatch, type WebhookRecord } from './model.ts';
import {
  deleteAllWebhooks,
  deleteSomeDeliveries,
  deleteWebhookRows,
  lockWebhooks,
} from './store/webhooks.ts';

export const eraseWebhookKind = 'webhooks.erase';

/**
 * Nothing is sent after the commit; a job erases the deliveries. Throws 404 not_found, 403
 * space_access_denied, 412 precondition_failed.
 */
export async function removeWebhook(
  ctx: Ctx,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    await chargeResourceQuota(inTx, inTx.actor, 'webhooks', -1);
    const webhook = await lockVisibleWebhook(inTx, id);
    requireETagMatch(webhook, ifMatch);
    await removeAll(inTx, [webhook]);
  });
}

/** Removes all existing ones, in the order of the ids, or none. Throws 403 space_access_denied. */
export async function removeWebhooks(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ResponseBody<typeof routes.webhooks.bulkDelete>> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    // Locks the counter before the rows, as all callers do; the amount is known afterwards.
    await chargeResourceQuota(inTx, actor, 'webhooks', 0);
    const existing = await lockWebhooks(tx, actor.accountId, ids);
    for (const webhook of existing) requireAccessToWebhookSpaces(actor, webhook);
    await chargeResourceQuota(inTx, actor, 'webhooks', -existing.length);
    await removeAll(inTx, existing);
    const removed = new Set(existing.map(({ id }) => id));
    return { deleted: removed.size, ids: [...new Set(ids)].filter((id) => removed.has(id)) };
  });
}

async function removeAll(inTx: TxCtx, webhooks: readonly WebhookRecord[]): Promise<void> {
  const { tx, actor, ids, clock } = inTx;
  const { accountId } = actor;
  const removedIds = webhooks.map(({ id }) => id);
  if (removedIds.length === 0) return;
  await deleteWebhookRows(tx, accountId, removedIds);
  for (const { id, name } of webhooks) {
    const details = { name };
    await recordAuditEntry(inTx, { action: 'webhook.deleted', accountId, targetId: id, details });
  }
  const payload = { webhook_ids: removedIds };
  const runAt = clock.now();
  await recordErasures(inTx, 'webhook', removedIds);
  const job = { id: ids.uuid(), accountId, kind: eraseWebhookKind, payload, runAt };
  await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
}

/** Job: erases deliveries of removed webhooks; every step is repeatable. */
export async function eraseWebhook(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const ids = payload.webhook_ids as string[];
  for (const id of ids) await eraseDeliveries(app, accountId, id, job);
}

/** Erases all webhooks of a deleted account at once, so that nothing more is sent. */
export async function eraseAccountWebhooks(ctx: Ctx, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  await deleteAllWebhooks(ctx.engine.db, accountId);
  await eraseDeliveries(ctx, accountId, null, job);
}

async function eraseDeliveries(
  app: App,
  accountId: string,
  webhookId: string | null,
  job: RunningJob,
): Promise<void> {
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const step = (rows: number) => deleteSomeDeliveries(app.engine.db, accountId, webhookId, rows);
  while (await adaptiveBatch.run(step)) await job.saveProgress(0.5);
}
