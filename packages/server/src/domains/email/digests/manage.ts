import {
  type Digest,
  limits,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { isUniqueViolation } from '../../../database/index.ts';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import { lockCountLimit } from '../../accounts/index.ts';
import {
  type Ctx,
  requireSpaceAccess,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import {
  changedColumns,
  itemQuotaError,
  nameTakenError,
  requireUsableSpacesOf,
} from '../reaction-and-digest-rules.ts';
import { requireExternalRecipients } from '../recipients.ts';
import { type DigestRecord, presentDigest } from './model.ts';
import { type DigestSchedule, nextDigestTime } from './schedule.ts';
import { sendDigestKind } from './send.ts';
import {
  countDigests,
  deleteDigest,
  insertDigest,
  listDigestRows,
  lockDigest,
  updateDigestRow,
} from './store/digests.ts';

type Patch = ValidatedRequest<typeof routes.email.updateDigest>['body'];

export async function listDigests(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listDigests>['query'],
): Promise<ResponseBody<typeof routes.email.listDigests>> {
  const { engine, actor } = ctx;
  requireSpaceAccess(actor, null);
  const visible = visibleSpaces(actor);
  const { rows, total } = await listDigestRows(engine.db, actor.accountId, visible, query);
  const data = rows.map(presentDigest);
  return { data, pagination: toPagination(query, total, data.length) };
}

/** Throws 409 conflict if the name is in use, 403 quota_exceeded. */
export async function createDigest(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.email.createDigest>['body'],
): Promise<Digest> {
  requireSpaceAccess(ctx.actor, null);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await requireExternalRecipients(inTx, body.recipients);
    await lockCountLimit(tx, actor.accountId, 'digests');
    const now = clock.now();
    const when: DigestSchedule = { schedule_type: body.scheduleType, ...body };
    const row = await insertDigest(tx, {
      account_id: actor.accountId,
      id: ids.uuid(),
      name: body.name,
      schedule_type: body.scheduleType,
      timezone: body.timezone,
      hour: body.hour,
      weekday: body.weekday,
      day: body.day,
      include_new_memories: body.includeNewMemories,
      include_highlights: body.includeHighlights,
      max_items: body.maxItems,
      tags: body.tags,
      recipients: body.recipients,
      is_active: body.isActive,
      spaces: visibleSpaces(actor),
      next_run_at: body.isActive ? nextDigestTime(when, now) : null,
      covered_until: now,
      created_at: now,
      updated_at: now,
    });
    if (!row) throw nameTakenError('digest', body.name);
    if ((await countDigests(tx, actor.accountId)) > limits.digestsMax)
      throw itemQuotaError('digest', limits.digestsMax);
    return presentDigest(row);
  });
}

/** Throws 404 not_found, 409 conflict, 403 space_access_denied. */
export async function updateDigest(ctx: Ctx, id: string, body: Patch): Promise<Digest> {
  requireSpaceAccess(ctx.actor, null);
  return withTransaction(ctx, async (inTx) => {
    const before = await lockOwnDigest(inTx, id);
    if (body.recipients) await requireExternalRecipients(inTx, body.recipients);
    const set = {
      ...changedColumns(columnsByField, body),
      ...scheduleColumns(before, body, inTx.clock.now()),
    };
    const after = await updateDigestRow(inTx.tx, before, set).catch((error: unknown) => {
      throw isUniqueViolation(error, 'email_digests_name')
        ? nameTakenError('digest', body.name ?? '')
        : error;
    });
    return presentDigest(after);
  });
}

/** Throws 404 not_found, 403 space_access_denied. */
export async function removeDigest(ctx: Ctx, id: string): Promise<void> {
  requireSpaceAccess(ctx.actor, null);
  await withTransaction(ctx, async (inTx) => {
    await deleteDigest(inTx.tx, await lockOwnDigest(inTx, id));
    await recordErasures(inTx, 'digest', [id]);
  });
}

/** Queues a job. Throws 404 not_found, 403 space_access_denied. */
export async function enqueueDigest(
  ctx: Ctx,
  id: string,
): Promise<ResponseBody<typeof routes.email.sendDigest>> {
  requireSpaceAccess(ctx.actor, null);
  return withTransaction(ctx, async (inTx) => {
    await lockOwnDigest(inTx, id);
    const { tx, actor, ids, clock } = inTx;
    const job = { id: ids.uuid(), accountId: actor.accountId, kind: sendDigestKind };
    const spaces = visibleSpaces(actor);
    await enqueueJob(tx, { ...job, payload: { digest_id: id }, spaces, runAt: clock.now() });
    return { job_id: job.id };
  });
}

const lockOwnDigest = async ({ tx, actor }: TxCtx, id: string): Promise<DigestRecord> =>
  requireUsableSpacesOf(actor, 'digest', await lockDigest(tx, actor.accountId, id));

const columnsByField = {
  name: 'name',
  scheduleType: 'schedule_type',
  timezone: 'timezone',
  hour: 'hour',
  weekday: 'weekday',
  day: 'day',
  includeNewMemories: 'include_new_memories',
  includeHighlights: 'include_highlights',
  maxItems: 'max_items',
  tags: 'tags',
  recipients: 'recipients',
  isActive: 'is_active',
} as const;
const scheduleFields = ['scheduleType', 'timezone', 'hour', 'weekday', 'day'] as const;

/** A changed schedule starts now; a reactivated digest covers only new memories. */
function scheduleColumns(before: DigestRecord, body: Patch, now: Date) {
  const after = { ...before, ...changedColumns(columnsByField, body) };
  const isMoved = scheduleFields.some((field) => body[field] !== undefined);
  const isSwitchedOn = after.is_active && !before.is_active;
  const next = isMoved || isSwitchedOn ? nextDigestTime(after, now) : before.next_run_at;
  return {
    next_run_at: after.is_active ? next : null,
    ...(isSwitchedOn ? { covered_until: now } : {}),
    updated_at: now,
  };
}
