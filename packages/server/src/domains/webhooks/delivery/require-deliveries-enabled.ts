import { readDeliveriesPausedAt } from '../../../events/delivery-pause.ts';
import { AppError } from '../../../kernel/errors.ts';
import { requireActiveAccount } from '../../accounts/index.ts';
import type { Ctx } from '../../ctx.ts';

/**
 * For calls that a request triggers. Throws 409 conflict while deliveries are paused, 403
 * insufficient_permissions if the account was suspended after the request began.
 */
export async function requireDeliveriesEnabled({ engine, actor }: Ctx): Promise<void> {
  await requireActiveAccount(engine.db, actor.accountId);
  const pausedAt = await readDeliveriesPausedAt(engine.db);
  if (pausedAt === null) return;
  throw new AppError('conflict', {
    message: 'The operator has paused deliveries: retry after they are resumed.',
    details: { paused_at: pausedAt.toISOString() },
  });
}
