import { readPausedAt } from '../../../events/delivery-pause.ts';
import { AppError } from '../../../kernel/errors.ts';
import { requireActiveAccount } from '../../accounts/index.ts';
import type { Ctx } from '../../ctx.ts';

/**
 * For calls that a request asks for. Throws 409 conflict while deliveries are paused, 403
 * insufficient_permissions where the account was suspended after the request began.
 */
export async function requireDeliveriesEnabled({ engine, actor }: Ctx): Promise<void> {
  await requireActiveAccount(engine.db, actor.accountId);
  const since = await readPausedAt(engine.db);
  if (since === null) return;
  throw new AppError('conflict', {
    message: 'The operator has paused deliveries. Retry after they are resumed.',
    details: { paused_at: since.toISOString() },
  });
}
