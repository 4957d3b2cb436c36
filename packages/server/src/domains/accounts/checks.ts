import type { Db, Tx } from '../../engine/index.ts';
import { type Check, counterFault, oneStep } from '../check.ts';
import { total } from './model.ts';
import { findAccount } from './store/accounts.ts';
import { readBesides } from './store/checks.ts';
import { readUsage } from './store/usage.ts';
import type { Held } from './usage.ts';

/** False for a deleted account, whose rows go one after the other. */
export const accountIsThere = async (tx: Tx, id: string): Promise<boolean> =>
  (await findAccount(tx, id)) !== undefined;

/** How many of them the account's counter says there are. */
export const countedOf = (db: Db, accountId: string, metric: Held): Promise<number> =>
  readUsage(db, { accountId, metric, period: total });

/** The account's own row, its place in the order of commits, its counters. */
export const accountCheck: Check = oneStep('accounts', async ({ actor }, tx) => {
  const { accountId } = actor;
  const { streams, keys, below } = await readBesides(tx, accountId);
  const counted = await countedOf(tx, accountId, 'api_keys');
  return [
    ...(streams === 1
      ? []
      : [{ code: 'stream_missing', id: null, message: 'the account has no row in streams' }]),
    ...counterFault('api_keys', counted, keys),
    ...below.map(({ metric, period }) => ({
      code: 'counter_negative',
      id: null,
      message: `the counter of ${metric} (${period}) is below zero`,
    })),
  ];
});
