import {
  limits,
  type ResponseBody,
  type routes,
  type SenderRule,
  type ValidatedRequest,
} from '@mneme/contract';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import { lockAccountForShare, lockCountLimit } from '../../accounts/index.ts';
import {
  type Ctx,
  requireAccountWideAccess,
  requireSpaceAccess,
  withTransaction,
} from '../../ctx.ts';
import { toOwner } from '../owner.ts';
import { evaluateSender, presentSenderRule } from './model.ts';
import {
  deleteSenderRule,
  findSenderRules,
  insertSenderRule,
  listSenderRuleRows,
} from './store/sender-rules.ts';

export async function listSenderRules(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listSenders>['query'],
): Promise<ResponseBody<typeof routes.email.listSenders>> {
  requireSpaceAccess(ctx.actor, null);
  const { accountId } = ctx.actor;
  const { rows, total } = await listSenderRuleRows(ctx.engine.db, accountId, query, query);
  const data = rows.map(presentSenderRule);
  return { data, pagination: toPagination(query, total, data.length) };
}

/**
 * Throws 403 space_access_denied for an API key that is limited to spaces, because an allowed
 * sender can read every space; 409 conflict if the pattern has a rule; 403 quota_exceeded.
 */
export async function addSenderRule(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.email.addSender>['body'],
): Promise<SenderRule> {
  requireAccountWideAccess(ctx.actor);
  const { emailPattern, ruleType, reason } = body;
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await lockAccountForShare(tx, actor.accountId);
    await lockCountLimit(tx, actor.accountId, 'sender rules');
    const max = limits.senderRulesMax;
    if ((await findSenderRules(tx, actor.accountId)).length >= max) {
      const message = `An account can have at most ${max} sender rules. Delete one first.`;
      throw new AppError('quota_exceeded', { message, details: { max } });
    }
    const row = await insertSenderRule(tx, {
      account_id: actor.accountId,
      id: ids.uuid(),
      pattern: emailPattern.toLowerCase(),
      rule_type: ruleType,
      reason,
      ...toOwner(body),
      created_at: clock.now(),
    });
    if (row) return presentSenderRule(row);
    throw new AppError('conflict', { message: `A rule for ${emailPattern} already exists.` });
  });
}

export async function checkSender(
  ctx: Ctx,
  { email }: ValidatedRequest<typeof routes.email.checkSender>['body'],
): Promise<ResponseBody<typeof routes.email.checkSender>> {
  requireSpaceAccess(ctx.actor, null);
  const rules = await findSenderRules(ctx.engine.db, ctx.actor.accountId);
  const { accept_unknown: unknown } = ctx.actor.settings.email;
  const { allowed, reason, rule } = evaluateSender(rules, email, unknown);
  return { allowed, reason, matchedRule: rule && presentSenderRule(rule) };
}

/** Throws 404 not_found. */
export async function removeSenderRule(ctx: Ctx, pattern: string): Promise<void> {
  requireAccountWideAccess(ctx.actor);
  const isRemoved = await eraseSenderRule(ctx, { pattern: pattern.toLowerCase() });
  if (!isRemoved) throw new AppError('not_found');
}

/** False if there is no such rule. */
export const eraseSenderRule = (ctx: Ctx, rule: { id: string } | { pattern: string }) =>
  withTransaction(ctx, async (inTx) => {
    const removed = await deleteSenderRule(inTx.tx, inTx.actor.accountId, rule);
    if (removed === undefined) return false;
    await recordErasures(inTx, 'sender_rule', [removed.id]);
    return true;
  });
