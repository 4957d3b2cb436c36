import {
  limits,
  type Reaction,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { isUniqueViolation } from '../../../database/index.ts';
import { startCursors } from '../../../events/event-cursor.ts';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { fieldError } from '../../../kernel/errors.ts';
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
import { parseTriggerType, presentReaction, type ReactionRecord } from './model.ts';
import {
  countReactions,
  deleteReaction,
  insertReaction,
  listReactionRows,
  lockReaction,
  updateReactionRow,
} from './store/reactions.ts';
import { parseTemplate, TemplateError } from './template.ts';

type Patch = ValidatedRequest<typeof routes.email.updateReaction>['body'];

export async function listReactions(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listReactions>['query'],
): Promise<ResponseBody<typeof routes.email.listReactions>> {
  const { engine, actor, clock } = ctx;
  requireSpaceAccess(actor, null);
  const visible = visibleSpaces(actor);
  const { rows, total } = await listReactionRows(engine.db, actor.accountId, visible, query);
  const data = rows.map((row) => presentReaction(row, clock.now()));
  return { data, pagination: toPagination(query, total, data.length) };
}

/** Throws 400 invalid_events, 409 conflict if the name is in use, 403 quota_exceeded. */
export async function createReaction(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.email.createReaction>['body'],
): Promise<Reaction> {
  requireSpaceAccess(ctx.actor, null);
  const triggerType = parseTriggerType(body.triggerType);
  requireValidTemplates(body);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await requireExternalRecipients(inTx, body.recipients);
    await lockCountLimit(tx, actor.accountId, 'reactions');
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
    if (!row) throw nameTakenError('reaction', body.name);
    await startCursors(tx, 'email_reactions', actor.accountId, [row.id]);
    if ((await countReactions(tx, actor.accountId)) > limits.reactionsMax)
      throw itemQuotaError('reaction', limits.reactionsMax);
    return presentReaction(row, now);
  });
}

/** Throws 404 not_found, 400 invalid_events, 409 conflict, 403 space_access_denied. */
export async function updateReaction(ctx: Ctx, id: string, body: Patch): Promise<Reaction> {
  requireSpaceAccess(ctx.actor, null);
  requireValidTemplates(body);
  return withTransaction(ctx, async (inTx) => {
    const before = await lockOwnReaction(inTx, id);
    const { triggerType, recipients } = body;
    const now = inTx.clock.now();
    if (recipients) await requireExternalRecipients(inTx, recipients);
    const set = {
      ...changedReactionColumns(body),
      ...(triggerType === undefined ? {} : { trigger_type: parseTriggerType(triggerType) }),
      updated_at: now,
    };
    const after = await updateReactionRow(inTx.tx, before, set).catch((error: unknown) => {
      throw isUniqueViolation(error, 'email_reactions_name')
        ? nameTakenError('reaction', body.name ?? '')
        : error;
    });
    // A reactivated reaction skips the events since it was deactivated.
    if (after.is_active && !before.is_active) {
      await startCursors(inTx.tx, 'email_reactions', inTx.actor.accountId, [id]);
    }
    return presentReaction(after, now);
  });
}

/** Throws 404 not_found, 403 space_access_denied. */
export async function removeReaction(ctx: Ctx, id: string): Promise<void> {
  requireSpaceAccess(ctx.actor, null);
  await withTransaction(ctx, async (inTx) => {
    await deleteReaction(inTx.tx, await lockOwnReaction(inTx, id));
    await recordErasures(inTx, 'reaction', [id]);
  });
}

const lockOwnReaction = async ({ tx, actor }: TxCtx, id: string): Promise<ReactionRecord> =>
  requireUsableSpacesOf(actor, 'reaction', await lockReaction(tx, actor.accountId, id));

const columnsByField = {
  name: 'name',
  emailSubjectTemplate: 'subject_template',
  emailBodyTemplate: 'body_template',
  recipients: 'recipients',
  cooldownMinutes: 'cooldown_minutes',
  maxPerDay: 'max_per_day',
  isActive: 'is_active',
} as const;

function changedReactionColumns(body: Patch): object {
  const { triggerConditions: conditions } = body;
  return {
    ...changedColumns(columnsByField, body),
    ...(conditions === undefined ? {} : { trigger_conditions: JSON.stringify(conditions) }),
  };
}

const templateFields = ['emailSubjectTemplate', 'emailBodyTemplate'] as const;

function requireValidTemplates(body: Patch): void {
  for (const field of templateFields) {
    const text = body[field];
    if (text === undefined) continue;
    try {
      parseTemplate(text);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw fieldError(field, { code: 'invalid_format', message: error.message });
    }
  }
}
