import type { Tx } from '../../database/index.ts';
import { type StaleCutoff, staleCutoffAt } from '../../events/delivery-pause.ts';
import { type AppScope, hook } from '../../kernel/per-app.ts';

/** A suspension that ends: `stale` is not sent any more. */
interface AccountResumption {
  readonly accountId: string;
  readonly now: Date;
  readonly stale: StaleCutoff;
}

/** A suspension ends: later domains fail what is too old to be sent, in its transaction. */
export const beforeAccountResume = hook<AppScope, [tx: Tx, resumed: AccountResumption]>();

/**
 * What is to be set with `suspended: false`, by the same transaction: what the account may send
 * from then on is decided here.
 */
export async function endSuspension(
  scope: AppScope,
  tx: Tx,
  { accountId, now }: Pick<AccountResumption, 'accountId' | 'now'>,
): Promise<{ suspended: false; resumed_at: Date }> {
  await beforeAccountResume.run(scope, tx, { accountId, now, stale: staleCutoffAt(now) });
  return { suspended: false, resumed_at: now };
}
