import { createHash } from 'node:crypto';
import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Tx } from '../../../database/index.ts';
import { eventNotifier } from '../../../events/commit-notifier.ts';
import { isAccountSuspended, readSuspensionEnd } from '../../../events/delivery-pause.ts';
import { readEventBatch } from '../../../events/outbox.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { NonRetryableJobError, type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import {
  type App,
  type Ctx,
  canUseSpaces,
  systemCtx,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import { requireKnownSubscriptions } from '../events.ts';
import { readVisibleWebhook } from '../lookup.ts';
import { lockWebhooks } from '../store/webhooks.ts';
import { batchEventsMax, buildDelivery } from './fan-out.ts';
import { matchesSubscription, subscribedTypes, subscribesTo } from './matching.ts';
import { insertDeliveries } from './store/deliveries.ts';
import { advanceWebhookCursor } from './store/ordered-deliveries.ts';

export const replayKind = 'webhooks.replay';

type Route = typeof routes.webhooks.replay;

/** The payload of the job. */
interface ReplayState {
  readonly webhookId: string;
  readonly since: string;
  readonly until: string;
  /** Null: all event types that the webhook subscribes to. */
  readonly types: readonly string[] | null;
  readonly requestedAt?: string;
  after: number;
}

/** Throws 404 not_found, 403 space_access_denied, 400 invalid_events. */
export async function startReplay(
  ctx: Ctx,
  webhookId: string,
  body: ValidatedRequest<Route>['body'],
): Promise<ResponseBody<Route>> {
  const types = body.event_types ?? null;
  return withTransaction(ctx, async (inTx) => {
    await readVisibleWebhook(inTx, webhookId);
    if (types !== null) requireKnownSubscriptions(types);
    const now = ctx.clock.now();
    const until = body.until !== undefined && body.until < now ? body.until : now;
    const state: ReplayState = {
      webhookId,
      since: body.since.toISOString(),
      until: until.toISOString(),
      types,
      requestedAt: now.toISOString(),
      after: 0,
    };
    const id = ctx.ids.uuid();
    const { accountId } = ctx.actor;
    const job = { id, accountId, kind: replayKind, payload: { ...state }, runAt: now };
    await enqueueJob(inTx.tx, { ...job, spaces: visibleSpaces(ctx.actor) });
    return { job_id: id };
  });
}

/**
 * Job: creates new deliveries of past events, after those that wait, in steps. Throws
 * NonRetryableJobError if the account is suspended, or was suspended after the request.
 */
export async function runReplay(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const state = job.payload as unknown as ReplayState;
  const { accountId } = job;
  if (accountId === null) throw new Error('a replay belongs to an account');
  const ctx = systemCtx(app, accountId, job.spaces);
  const { upTo, more } = await runStep(ctx, job.id, state);
  eventNotifier.of(app).notify(new Set([accountId]));
  await job.saveProgress(more ? 0.5 : 1, { ...state, after: upTo });
  return more ? requeueResult : undefined;
}

async function requireUnsuspended(
  tx: Tx,
  accountId: string,
  // Jobs of older versions have no request time; `until` is not later than it.
  { until, requestedAt = until }: ReplayState,
): Promise<void> {
  if (await isAccountSuspended(tx, accountId))
    throw new NonRetryableJobError('The account is suspended.');
  const resumed = await readSuspensionEnd(tx, accountId);
  if (resumed === null || resumed < new Date(requestedAt)) return;
  throw new NonRetryableJobError(
    'The account was suspended after this request: request the replay again.',
  );
}

function runStep(
  { engine, clock, actor }: Ctx,
  jobId: string,
  state: ReplayState,
): Promise<{ upTo: number; more: boolean }> {
  const { accountId } = actor;
  const { webhookId, types } = state;
  const webhookRef = { accountId, webhookId };
  return engine.transaction(async (tx) => {
    const [webhook] = await lockWebhooks(tx, accountId, [webhookId]);
    if (!webhook || !canUseSpaces(actor, webhook.spaces)) return { upTo: state.after, more: false };
    // Under the lock on the webhook, which the end of a suspension takes as well.
    await requireUnsuspended(tx, accountId, state);
    const requestedTypes = subscribedTypes(webhook.events).filter(
      (type) => types === null || subscribesTo(types, type),
    );
    const { events, upTo, more } = await readEventBatch(tx, accountId, {
      after: state.after,
      limit: batchEventsMax,
      types: requestedTypes,
      since: new Date(state.since),
      until: new Date(state.until),
    });
    const deliveries = events
      .filter((event) => matchesSubscription(webhook, event))
      .map((event, i) => {
        const number = webhook.last_sequence_number + 1 + i;
        return buildDelivery(webhook, event, { number, id: deriveReplayId(jobId, event.id) });
      });
    const inserted = await insertDeliveries(tx, webhookRef, deliveries, clock.now());
    const counts = { numbers: deliveries.length, deliveries: inserted };
    await advanceWebhookCursor(tx, webhookRef, { ...counts, release: false });
    return { upTo, more };
  });
}

/** Deterministic, so that a repeated step creates no duplicates (UUID version 8, RFC 9562). */
function deriveReplayId(jobId: string, eventId: string): string {
  const bytes = createHash('sha256').update(`${jobId} ${eventId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.toString('hex');
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20),
  ].join('-');
}
