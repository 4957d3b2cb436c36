import { type RawBuilder, sql } from 'kysely';
import type { Lease } from '../kernel/lease.ts';
import { acrossAccounts } from './across-accounts.ts';
import type { Db } from './engine.ts';

const hourMs = 3_600_000;

/** Upper limit of a lease, including the clock difference between two processes. */
const leaseMsMax = hourMs;

/**
 * Whether a time has passed, or is more than `waitMsMax` (the longest planned wait) in the future.
 * In the second case it was set by a clock that was ahead, and would otherwise delay the work until
 * then.
 */
export const isDue = (column: string, now: Date, waitMsMax: number): RawBuilder<boolean> => {
  const time = sql.ref(column);
  const beyond = new Date(now.getTime() + waitMsMax);
  return sql<boolean>`(${time} <= ${now}::timestamptz or ${time} > ${beyond}::timestamptz)`;
};

/** Whether a lease is absent, expired, or was set by a clock that was ahead. */
export const isLeaseExpired = (column: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} is null or ${isDue(column, now, leaseMsMax)})`;

/** Tables whose rows have a lease in `lease_until` and `leased_by`. */
export type LeasedTable = 'encoding_leases' | 'extraction_cursors' | 'media_uploads' | 'webhooks';

/** A row with a lease. */
export interface LeasedRow {
  readonly table: LeasedTable;
  /** Its key, and conditions for a renewal. */
  readonly where: RawBuilder<unknown>;
}

/** Whether `holder` may acquire the lease of a row, or has it already. */
export const isLeaseAvailable = (
  table: LeasedTable,
  holder: string,
  now: Date,
): RawBuilder<boolean> =>
  sql<boolean>`(
    ${sql.ref(`${table}.leased_by`)} = ${holder}::uuid
    or ${isLeaseExpired(`${table}.lease_until`, now)}
  )`;

/** False if another holder has the lease. */
export async function renewLease(
  db: Db,
  { table, where }: LeasedRow,
  { holder, until }: Lease,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set lease_until = ${until}::timestamptz
    where ${where} and leased_by = ${holder}::uuid`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Releases the lease if `holder` still has it.
 * @param nextAt nobody else starts the work before this time; null: at once
 */
export async function releaseLease(
  db: Db,
  { table, where }: LeasedRow,
  holder: string,
  nextAt: Date | null = null,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = ${nextAt}::timestamptz, leased_by = null
    where ${where} and leased_by = ${holder}::uuid`.execute(db);
}

/**
 * Releases all leases of a table, at the start on an embedded database: their holders are dead,
 * because no other process can have the database open.
 */
export async function releaseAllLeases(db: Db, table: LeasedTable): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null, leased_by = null
    where leased_by is not null`.execute(
    acrossAccounts(db, 'the start releases the leases of a former process'),
  );
}
