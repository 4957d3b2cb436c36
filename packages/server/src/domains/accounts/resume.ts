import type { Tx } from '../../engine/index.ts';
import { hook, type Scope } from '../../kernel/service.ts';
import { type Stale, staleAt } from '../../work/delivery-pause.ts';

/** A suspension that ends: `stale` is not sent any more. */
interface Resumed {
  readonly accountId: string;
  readonly now: Date;
  readonly stale: Stale;
}

/** A suspension ends: later domains fail what is too old to be sent, in its transaction. */
export const resumingAccount = hook<Scope, [tx: Tx, resumed: Resumed]>();

/**
 * What is to be set with `suspended: false`, by the same transaction: what the account may send
 * from then on is decided here.
 */
export async function endSuspension(
  scope: Scope,
  tx: Tx,
  { accountId, now }: Pick<Resumed, 'accountId' | 'now'>,
): Promise<{ suspended: false; resumed_at: Date }> {
  await resumingAccount.run(scope, tx, { accountId, now, stale: staleAt(now) });
  return { suspended: false, resumed_at: now };
}
