import { type RawBuilder, sql } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  isLeaseAvailable,
  isLeaseExpired,
  type LeasedRow,
  type Tx,
} from '../../../database/index.ts';
import { hasUnprocessedEventsCondition } from '../../../events/event-cursor.ts';
import type { Lease } from '../../../kernel/lease.ts';

/** The cursor of an account as the row of a lease. */
export const leasedCursor = (accountId: string): LeasedRow => ({
  table: 'extraction_cursors',
  where: sql`account_id = ${accountId}::uuid`,
});

const toExtract = (now: Date): RawBuilder<unknown> => sql`
  account_positions left join extraction_cursors using (account_id)
  where ${hasUnprocessedEventsCondition('extraction_cursors')}
    and ${isLeaseExpired('extraction_cursors.lease_until', now)}`;

/** Whether an account has events that are not processed and not leased. */
export async function hasEventsToExtract(db: Db, accountId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from ${toExtract(now)} and account_positions.account_id = ${accountId}::uuid`.execute(
    db,
  );
  return rows.length > 0;
}

/** Accounts with events that are not processed and not leased. */
export async function findAccountsToExtract(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_positions.account_id as id from ${toExtract(now)} limit ${limit}::int`.execute(
    acrossAvailableAccounts(db, 'the extraction looks for new events'),
  );
  return rows.map(({ id }) => id);
}

/**
 * Acquires or renews the lease of an account: returns its cursor, or null if another process has
 * it.
 */
export async function acquireExtractionLease(
  tx: Tx,
  accountId: string,
  { holder, until }: Lease,
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ cursor: number }>`
    insert into extraction_cursors (account_id, lease_until, leased_by)
    values (${accountId}::uuid, ${until}::timestamptz, ${holder}::uuid)
    on conflict (account_id) do update set
      lease_until = excluded.lease_until, leased_by = excluded.leased_by
    where ${isLeaseAvailable('extraction_cursors', holder, now)}
    returning cursor`.execute(tx);
  return rows[0]?.cursor ?? null;
}

/**
 * Moves the cursor and releases the lease; false if another process has it, then the transaction
 * must be rolled back.
 */
export async function advanceExtractionCursor(
  tx: Tx,
  accountId: string,
  holder: string,
  readTo: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update extraction_cursors
    set cursor = ${readTo}::bigint, lease_until = null, leased_by = null
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid`.execute(tx);
  return numAffectedRows === 1n;
}
