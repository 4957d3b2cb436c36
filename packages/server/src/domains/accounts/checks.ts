import type { Db, Tx } from '../../database/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
} from '../consistency-check.ts';
import { totalPeriod } from './model.ts';
import { findAccount } from './store/accounts.ts';
import { readAccountConsistencyData } from './store/checks.ts';
import { readUsage } from './store/usage.ts';
import type { CountedResource } from './usage.ts';

/** False for a deleted account, whose rows go one after the other. */
export const accountExists = async (tx: Tx, id: string): Promise<boolean> =>
  (await findAccount(tx, id)) !== undefined;

/** How many of them the account's counter says there are. */
export const readResourceCount = (
  db: Db,
  accountId: string,
  metric: CountedResource,
): Promise<number> => readUsage(db, { accountId, metric, period: totalPeriod });

/** The account's own row, its place in the order of commits, its counters. */
export const accountCheck: ConsistencyCheck = createSingleStepCheck(
  'accounts',
  async ({ actor }, tx) => {
    const { accountId } = actor;
    const { streams, keys, below } = await readAccountConsistencyData(tx, accountId);
    const counted = await readResourceCount(tx, accountId, 'api_keys');
    return [
      ...(streams === 1
        ? []
        : [{ code: 'stream_missing', id: null, message: 'the account has no row in streams' }]),
      ...compareCounter('api_keys', counted, keys),
      ...below.map(({ metric, period }) => ({
        code: 'counter_negative',
        id: null,
        message: `the counter of ${metric} (${period}) is below zero`,
      })),
    ];
  },
);
