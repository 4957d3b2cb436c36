import type { Db } from '../../../database/index.ts';

/** Ids of accounts that are not deleted, ascending. */
export async function accountIdsAfter(
  db: Db,
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = db.selectFrom('accounts').select('id').where('deleted_at', 'is', null);
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

export async function countAccounts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Data that belongs to an account row, read in one snapshot. */
export async function readAccountConsistencyData(
  db: Db,
  accountId: string,
): Promise<{ streams: number; keys: number; below: { metric: string; period: string }[] }> {
  const { streams } = await db
    .selectFrom('account_positions')
    .select((eb) => eb.fn.countAll<number>().as('streams'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { keys } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  const below = await db
    .selectFrom('usage_counters')
    .select(['metric', 'period'])
    .where('account_id', '=', accountId)
    .where('used', '<', 0)
    .orderBy('metric')
    .orderBy('period')
    .execute();
  return { streams, keys, below };
}
