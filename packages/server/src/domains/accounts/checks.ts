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

/** False for a deleted account, whose rows are being erased. */
export const accountExists = async (tx: Tx, id: string): Promise<boolean> =>
  (await findAccount(tx, id)) !== undefined;

/** The number of these resources according to the account's counter. */
export const readResourceCount = (
  db: Db,
  accountId: string,
  metric: CountedResource,
): Promise<number> => readUsage(db, { accountId, metric, period: totalPeriod });

/** Checks the account's own row, its position row and its counters. */
export const accountCheck: ConsistencyCheck = createSingleStepCheck(
  'accounts',
  async ({ actor }, tx) => {
    const { accountId } = actor;
    const { streams, keys, below } = await readAccountConsistencyData(tx, accountId);
    const counted = await readResourceCount(tx, accountId, 'api_keys');
    return [
      ...(streams === 1
        ? []
        : [
            {
              code: 'stream_missing',
              id: null,
              message: 'the account has no row in account_positions',
            },
          ]),
      ...compareCounter('api_keys', counted, keys),
      ...below.map(({ metric, period }) => ({
        code: 'counter_negative',
        id: null,
        message: `the counter of ${metric} (${period}) is negative`,
      })),
    ];
  },
);
