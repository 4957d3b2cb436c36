import { sql } from 'kysely';
import { accountRow, acrossAvailableAccounts, type Db } from '../../../database/index.ts';

export interface UsageCounterKey {
  readonly accountId: string;
  readonly metric: string;
  readonly period: string;
}

export interface UsageCharge extends UsageCounterKey {
  /** Negative amounts are refunds. */
  readonly amount: number;
}

export const formatCounterKey = ({ accountId, metric, period }: UsageCounterKey): string =>
  `${accountId} ${metric} ${period}`;

/**
 * Adds to counters of an account and returns their new values by formatCounterKey. The rows stay
 * locked until the transaction ends, so that decisions based on the result still hold then. All
 * transactions lock rows in the same order, which prevents deadlocks.
 * @param requiresAccount false: the transaction fails elsewhere if the account was erased, and a
 *   distributed database plans the statement only once
 */
export async function chargeUsage(
  db: Db,
  accountId: string,
  charges: readonly Omit<UsageCharge, 'accountId'>[],
  { requiresAccount = true } = {},
): Promise<ReadonlyMap<string, number>> {
  const rows = charges
    .map(({ metric, period, amount }) => ({ m: metric, p: period, n: amount }))
    .sort((a, b) => (`${a.m} ${a.p}` < `${b.m} ${b.p}` ? -1 : 1));
  const given = requiresAccount
    ? sql`
        select account.account_id, m, p, n from ${accountRow(accountId)},
          json_to_recordset(${JSON.stringify(rows)}::json) as row (m text, p text, n bigint)`
    : sql`values ${sql.join(
        rows.map(({ m, p, n }) => sql`(${accountId}::uuid, ${m}, ${p}, ${n}::bigint)`),
      )}`;
  const { rows: updated } = await sql<{ metric: string; period: string; used: number }>`
    insert into usage_counters as counter (account_id, metric, period, used) ${given}
    on conflict (account_id, metric, period) do update set used = counter.used + excluded.used
    returning metric, period, used
  `.execute(db);
  return new Map(
    updated.map(({ metric, period, used }) => [
      formatCounterKey({ accountId, metric, period }),
      used,
    ]),
  );
}

/** Adds only if the counter stays within `max`; otherwise returns null. */
export async function chargeUsageWithinLimit(
  db: Db,
  charge: UsageCharge,
  max: number,
): Promise<number | null> {
  const { accountId, metric, period, amount } = charge;
  if (amount > max) return null;
  const { rows } = await sql<{ used: number }>`
    insert into usage_counters as counter (account_id, metric, period, used)
    values (${accountId}::uuid, ${metric}, ${period}, ${amount}::bigint)
    on conflict (account_id, metric, period) do update set used = counter.used + excluded.used
    where counter.used + excluded.used <= ${max}::bigint
    returning used
  `.execute(db);
  return rows[0]?.used ?? null;
}

export async function readUsage(db: Db, row: UsageCounterKey): Promise<number> {
  const found = await db
    .selectFrom('usage_counters')
    .select('used')
    .where('account_id', '=', row.accountId)
    .where('metric', '=', row.metric)
    .where('period', '=', row.period)
    .executeTakeFirst();
  return found?.used ?? 0;
}

export async function readAllUsage(
  db: Db,
  accountId: string,
  periods: readonly string[],
): Promise<{ metric: string; period: string; used: number }[]> {
  return db
    .selectFrom('usage_counters')
    .select(['metric', 'period', 'used'])
    .where('account_id', '=', accountId)
    .where('period', 'in', [...periods])
    .execute();
}

/** Deletes counters of days before `firstKept`; months and totals stay. */
export async function pruneUsageDays(db: Db, firstKept: string): Promise<void> {
  await acrossAvailableAccounts(db, 'old counters of days expire')
    .deleteFrom('usage_counters')
    .where(sql<boolean>`length(period) = 10`)
    .where('period', '<', firstKept)
    .execute();
}
