import type { Tx } from '../../database/index.ts';
import { type StaleCutoff, staleCutoffAt } from '../../events/delivery-pause.ts';
import { type AppLifetime, createHook } from '../../kernel/per-app.ts';

/** The end of a suspension: items older than `stale` are not sent any more. */
interface AccountResumption {
  readonly accountId: string;
  readonly now: Date;
  readonly stale: StaleCutoff;
}

/** Later domains fail what is too old to be sent, in the transaction that ends the suspension. */
export const beforeAccountResume = createHook<AppLifetime, [tx: Tx, resumed: AccountResumption]>();

/**
 * Returns the columns to set in the same transaction, which decides what the account may send from
 * then on.
 */
export async function endSuspension(
  scope: AppLifetime,
  tx: Tx,
  { accountId, now }: Pick<AccountResumption, 'accountId' | 'now'>,
): Promise<{ suspended: false; resumed_at: Date }> {
  await beforeAccountResume.run(scope, tx, { accountId, now, stale: staleCutoffAt(now) });
  return { suspended: false, resumed_at: now };
}
