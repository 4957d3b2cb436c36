import type { ResponseBody, routes, ValidatedRequest, Webhook } from '@mneme/contract';
import { toPagination } from '../../kernel/pagination.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { requireKnownEventType, subscriptionsMatching } from './events.ts';
import { readVisibleWebhook } from './lookup.ts';
import { presentWebhook, replyWithETag } from './model.ts';
import { listWebhookRows, readWebhookStats } from './store/webhooks.ts';

/** Throws 404 not_found, 403 space_access_denied. */
export const getWebhook = async (ctx: Ctx, id: string): Promise<Reply<Webhook>> =>
  replyWithETag(await readVisibleWebhook(ctx, id));

/** Throws 400 invalid_events, 404 space_not_found, 403 space_access_denied. */
export async function listWebhooks(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.webhooks.list>['query'],
): Promise<ResponseBody<typeof routes.webhooks.list>> {
  const { actor, engine } = ctx;
  const { event, is_active: isActive, space_id: spaceId } = query;
  if (event !== undefined) requireKnownEventType(event);
  if (spaceId) await requireUsableSpace(ctx, spaceId);
  const subscriptions = event === undefined ? null : subscriptionsMatching(event);
  const filter = { visible: visibleSpaces(actor), subscriptions, isActive, spaceId };
  const { rows, total } = await listWebhookRows(engine.db, actor.accountId, filter, query);
  const webhooks = rows.map((row) => presentWebhook(row));
  return {
    data: webhooks,
    pagination: toPagination(query, total, webhooks.length),
    webhooks,
    total,
  };
}

/** Statistics of the webhooks that the key may see. */
export async function getWebhookStats(
  ctx: Ctx,
): Promise<ResponseBody<typeof routes.webhooks.stats>> {
  const { actor, engine } = ctx;
  const { counts, events } = await readWebhookStats(
    engine.db,
    actor.accountId,
    visibleSpaces(actor),
  );
  return {
    total_webhooks: counts.total,
    active_webhooks: counts.active,
    inactive_webhooks: counts.total - counts.active,
    total_deliveries: counts.deliveries,
    successful_deliveries: counts.successful,
    failed_deliveries: counts.failed,
    events_distribution: events,
  };
}
