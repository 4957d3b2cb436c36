import { type Answer, type Checked, limits, type Reaction, type routes } from '@mneme/contract';
import { isUniqueViolation } from '../../../engine/index.ts';
import { fieldError } from '../../../kernel/errors.ts';
import { paginationOf } from '../../../kernel/page.ts';
import { recordErasures } from '../../../work/erasures.ts';
import { holdCount } from '../../accounts/index.ts';
import { type Ctx, requireSpace, type TxCtx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { requireOutside } from '../recipients.ts';
import { changedColumns, nameTaken, quotaUsed, requireOwn } from '../settings.ts';
import { eventTypeOf, presentReaction, type ReactionRecord } from './model.ts';
import {
  beginReacting,
  countReactions,
  deleteReaction,
  insertReaction,
  listReactionRows,
  lockReaction,
  updateReactionRow,
} from './store.ts';
import { parseTemplate, TemplateFault } from './template.ts';

type Patch = Checked<typeof routes.email.updateReaction>['body'];

export async function listReactions(
  ctx: Ctx,
  query: Checked<typeof routes.email.listReactions>['query'],
): Promise<Answer<typeof routes.email.listReactions>> {
  const { engine, actor, clock } = ctx;
  requireSpace(actor, null);
  const visible = visibleSpaces(actor);
  const { rows, total } = await listReactionRows(engine.db, actor.accountId, visible, query);
  const data = rows.map((row) => presentReaction(row, clock.now()));
  return { data, pagination: paginationOf(query, total, data.length) };
}

/** Throws 400 invalid_events, 409 conflict for a name that is taken, 403 quota_exceeded. */
export async function createReaction(
  ctx: Ctx,
  body: Checked<typeof routes.email.createReaction>['body'],
): Promise<Reaction> {
  requireSpace(ctx.actor, null);
  const triggerType = eventTypeOf(body.triggerType);
  requireTemplates(body);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await requireOutside(inTx, body.recipients);
    await holdCount(tx, actor.accountId, 'reactions');
    const now = clock.now();
    const row = await insertReaction(tx, {
      account_id: actor.accountId,
      id: ids.uuid(),
      name: body.name,
      trigger_type: triggerType,
      trigger_conditions: JSON.stringify(body.triggerConditions),
      subject_template: body.emailSubjectTemplate,
      body_template: body.emailBodyTemplate,
      recipients: body.recipients,
      cooldown_minutes: body.cooldownMinutes,
      max_per_day: body.maxPerDay,
      is_active: body.isActive,
      spaces: visibleSpaces(actor),
      created_at: now,
      updated_at: now,
    });
    if (!row) throw nameTaken('reaction', body.name);
    await beginReacting(tx, actor.accountId, row.id);
    if ((await countReactions(tx, actor.accountId)) > limits.reactionsMax)
      throw quotaUsed('reaction', limits.reactionsMax);
    return presentReaction(row, now);
  });
}

/** Throws 404 not_found, 400 invalid_events, 409 conflict, 403 space_access_denied. */
export async function updateReaction(ctx: Ctx, id: string, body: Patch): Promise<Reaction> {
  requireSpace(ctx.actor, null);
  requireTemplates(body);
  return withTransaction(ctx, async (inTx) => {
    const before = await known(inTx, id);
    const { triggerType, recipients } = body;
    const now = inTx.clock.now();
    if (recipients) await requireOutside(inTx, recipients);
    const set = {
      ...changesOf(body),
      ...(triggerType === undefined ? {} : { trigger_type: eventTypeOf(triggerType) }),
      updated_at: now,
    };
    const after = await updateReactionRow(inTx.tx, before, set).catch((error: unknown) => {
      throw isUniqueViolation(error, 'email_reactions_name')
        ? nameTaken('reaction', body.name ?? '')
        : error;
    });
    // What happened while it was off is not told afterwards.
    if (after.is_active && !before.is_active) {
      await beginReacting(inTx.tx, inTx.actor.accountId, id);
    }
    return presentReaction(after, now);
  });
}

/** Throws 404 not_found, 403 space_access_denied. */
export async function removeReaction(ctx: Ctx, id: string): Promise<void> {
  requireSpace(ctx.actor, null);
  await withTransaction(ctx, async (inTx) => {
    await deleteReaction(inTx.tx, await known(inTx, id));
    await recordErasures(inTx, 'reaction', [id]);
  });
}

const known = async ({ tx, actor }: TxCtx, id: string): Promise<ReactionRecord> =>
  requireOwn(actor, 'reaction', await lockReaction(tx, actor.accountId, id));

const columns = {
  name: 'name',
  emailSubjectTemplate: 'subject_template',
  emailBodyTemplate: 'body_template',
  recipients: 'recipients',
  cooldownMinutes: 'cooldown_minutes',
  maxPerDay: 'max_per_day',
  isActive: 'is_active',
} as const;

function changesOf(body: Patch): object {
  const { triggerConditions: conditions } = body;
  return {
    ...changedColumns(columns, body),
    ...(conditions === undefined ? {} : { trigger_conditions: JSON.stringify(conditions) }),
  };
}

const templates = ['emailSubjectTemplate', 'emailBodyTemplate'] as const;

function requireTemplates(body: Patch): void {
  for (const field of templates) {
    const text = body[field];
    if (text === undefined) continue;
    try {
      parseTemplate(text);
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      throw fieldError(field, { code: 'invalid_format', message: error.message });
    }
  }
}
