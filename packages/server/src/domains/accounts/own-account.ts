import { type OwnAccount, planLimits, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireAccountWideAccess } from '../ctx.ts';
import { type AccountDetails, onAccountRead } from './hooks.ts';
import { applyAccountChanges } from './manage.ts';
import { type Account, dayOf, monthOf, totalPeriod, withDefaultSettings } from './model.ts';
import { findAccount } from './store/accounts.ts';
import { readAllUsage } from './store/usage.ts';
import { usageBuffer } from './usage-buffer.ts';

/** The caller's account with the limits of its plan and the usage. */
export async function getOwnAccount(ctx: Ctx): Promise<OwnAccount> {
  const account = await findAccount(ctx.engine.db, ctx.actor.accountId);
  if (!account) throw new AppError('not_found');
  return toResponse(ctx, account);
}

/**
 * Changes name, contact address and settings; null restores a default. Throws 403
 * space_access_denied: digests of every space without recipients go to the contact address.
 */
export async function updateOwnAccount(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.account.update>['body'],
): Promise<OwnAccount> {
  requireAccountWideAccess(ctx.actor);
  return toResponse(ctx, await applyAccountChanges(ctx, ctx.actor.accountId, body));
}

async function toResponse(ctx: Ctx, account: Account): Promise<OwnAccount> {
  const plan = ctx.actor.plan;
  const { model, dimensions } = ctx.embedder;
  const details: AccountDetails = { embedding: { model, dimensions } };
  await onAccountRead.run(ctx, ctx, details);
  return {
    id: account.id,
    name: account.name,
    plan,
    limits: planLimits[plan],
    usage: await usageOf(ctx),
    settings: withDefaultSettings(account.settings),
    contact_email: account.contact_email ?? ctx.config.contactEmail,
    ...details,
  };
}

async function usageOf(ctx: Ctx): Promise<OwnAccount['usage']> {
  await usageBuffer.of(ctx).flush();
  const now = ctx.clock.now();
  const [month, day] = [monthOf(now), dayOf(now)];
  const rows = await readAllUsage(ctx.engine.db, ctx.actor.accountId, [totalPeriod, month, day]);
  const used = (metric: string, period: string): number =>
    rows.find((row) => row.metric === metric && row.period === period)?.used ?? 0;
  return {
    period: month,
    memories: used('memories', totalPeriod),
    spaces: used('spaces', totalPeriod),
    api_keys: used('api_keys', totalPeriod),
    webhooks: used('webhooks', totalPeriod),
    searches: used('searches', month),
    embeddings: used('embeddings', month),
    memories_created_today: used('memories_created', day),
  };
}
