import { type Checked, type OwnAccount, planLimits, type routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireWholeAccount } from '../ctx.ts';
import { changeAccount } from './manage.ts';
import { type Account, dayOf, monthOf, settingsOf, total } from './model.ts';
import { findAccount } from './store/accounts.ts';
import { readAllUsage } from './store/usage.ts';
import { tally } from './tally.ts';

/** The caller's account with what its plan allows and what is used of it. */
export async function getOwnAccount(ctx: Ctx): Promise<OwnAccount> {
  const account = await findAccount(ctx.engine.db, ctx.actor.accountId);
  if (!account) throw new AppError('not_found');
  return present(ctx, account);
}

/**
 * Changes name, contact address and settings; null restores a default. Throws 403
 * space_access_denied: digests without recipients of every space go to the contact address.
 */
export async function updateOwnAccount(
  ctx: Ctx,
  body: Checked<typeof routes.account.update>['body'],
): Promise<OwnAccount> {
  requireWholeAccount(ctx.actor);
  return present(ctx, await changeAccount(ctx, ctx.actor.accountId, body));
}

async function present(ctx: Ctx, account: Account): Promise<OwnAccount> {
  const plan = ctx.actor.plan;
  return {
    id: account.id,
    name: account.name,
    plan,
    limits: planLimits[plan],
    usage: await usageOf(ctx),
    settings: settingsOf(account.settings),
    contact_email: account.contact_email ?? ctx.config.contactEmail,
  };
}

async function usageOf(ctx: Ctx): Promise<OwnAccount['usage']> {
  await tally.of(ctx).flush();
  const now = ctx.clock.now();
  const [month, day] = [monthOf(now), dayOf(now)];
  const rows = await readAllUsage(ctx.engine.db, ctx.actor.accountId, [total, month, day]);
  const used = (metric: string, period: string): number =>
    rows.find((row) => row.metric === metric && row.period === period)?.used ?? 0;
  return {
    period: month,
    memories: used('memories', total),
    spaces: used('spaces', total),
    api_keys: used('api_keys', total),
    webhooks: used('webhooks', total),
    searches: used('searches', month),
    embeddings: used('embeddings', month),
    memories_created_today: used('memories_created', day),
  };
}
