import { sql } from 'kysely';
import { type Db, isLeaseExpired, type Tx } from '../../../database/index.ts';

/** The owner of a lease on an account's changes, and its expiry. */
export interface LeaseRequest {
  readonly holder: string;
  readonly until: Date;
}

/** Accounts with events that are not processed and not leased. */
export async function findAccountsToExtract(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.account_id as id from account_positions s
    left join extraction_cursors k on k.account_id = s.account_id
    where s.position > coalesce(k.cursor, 0)
      and ${isLeaseExpired('k.lease_until', now)}
    limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Acquires or renews the lease of an account: returns its cursor, or null if another process has
 * it.
 */
export async function acquireExtractionLease(
  tx: Tx,
  accountId: string,
  { holder, until }: LeaseRequest,
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ cursor: number }>`
    insert into extraction_cursors as k (account_id, lease_until, leased_by)
    values (${accountId}::uuid, ${until}::timestamptz, ${holder}::uuid)
    on conflict (account_id) do update set
      lease_until = excluded.lease_until, leased_by = excluded.leased_by
    where ${isLeaseExpired('k.lease_until', now)}
      or k.leased_by = ${holder}::uuid
    returning cursor`.execute(tx);
  return rows[0]?.cursor ?? null;
}

/** Renews the lease; false if another process has it. */
export async function renewExtractionLease(
  db: Db,
  accountId: string,
  { holder, until }: LeaseRequest,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update extraction_cursors set lease_until = ${until}::timestamptz
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid
      and lease_until is not null`.execute(db);
  return numAffectedRows === 1n;
}

/** Releases the lease if this process still has it. */
export async function releaseExtractionLease(
  db: Db,
  accountId: string,
  holder: string,
): Promise<void> {
  await sql`
    update extraction_cursors set lease_until = null
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid`.execute(db);
}

/** Releases leases of crashed processes: an embedded database has only one process. */
export async function releaseAllExtractionLeases(db: Db): Promise<void> {
  await sql`update extraction_cursors set lease_until = null where lease_until is not null`.execute(
    db,
  );
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
    update extraction_cursors set cursor = ${readTo}::bigint, lease_until = null
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid`.execute(tx);
  return numAffectedRows === 1n;
}
