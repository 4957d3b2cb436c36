import { AppError } from '../../../kernel/errors.ts';
import { readPause } from '../../../work/delivery-pause.ts';
import { requireActive } from '../../accounts/index.ts';
import type { Ctx } from '../../ctx.ts';

/**
 * For calls that a request asks for. Throws 409 conflict while deliveries are paused, 403
 * insufficient_permissions where the account was suspended after the request began.
 */
export async function requireSending({ engine, actor }: Ctx): Promise<void> {
  await requireActive(engine.db, actor.accountId);
  const since = await readPause(engine.db);
  if (since === null) return;
  throw new AppError('conflict', {
    message: 'The operator has paused deliveries. Retry after they are resumed.',
    details: { paused_at: since.toISOString() },
  });
}
