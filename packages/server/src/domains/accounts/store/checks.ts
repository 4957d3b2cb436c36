import { sql } from 'kysely';
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
  const { streams, keys } = await db
    .selectFrom('accounts')
    .select([
      sql<number>`(select count(*) from account_positions where account_id = accounts.id)`.as(
        'streams',
      ),
      sql<number>`(select count(*) from api_keys
        where account_id = accounts.id and revoked_at is null)`.as('keys'),
    ])
    .where('id', '=', accountId)
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
