import { sql } from 'kysely';
import { type Db, isLeaseExpired, type Tx } from '../../../database/index.ts';

/** Who reads an account's changes, and how long nobody else does. */
export interface LeaseRequest {
  readonly holder: string;
  readonly until: Date;
}

/** Accounts with events that nobody has read or is reading. */
export async function findAccountsToExtract(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.account_id as id from streams s
    left join knowledge k on k.account_id = s.account_id
    where s.position > coalesce(k.read_to, 0)
      and ${isLeaseExpired('k.lease_until', now)}
    limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/** Takes or keeps the reading of an account: where it stands, or null where another reads. */
export async function acquireExtractionLease(
  tx: Tx,
  accountId: string,
  { holder, until }: LeaseRequest,
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ read_to: number }>`
    insert into knowledge as k (account_id, lease_until, leased_by)
    values (${accountId}::uuid, ${until}::timestamptz, ${holder}::uuid)
    on conflict (account_id) do update set
      lease_until = excluded.lease_until, leased_by = excluded.leased_by
    where ${isLeaseExpired('k.lease_until', now)}
      or k.leased_by = ${holder}::uuid
    returning read_to`.execute(tx);
  return rows[0]?.read_to ?? null;
}

/** Goes on holding it; false where another reads by now. */
export async function renewExtractionLease(
  db: Db,
  accountId: string,
  { holder, until }: LeaseRequest,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update knowledge set lease_until = ${until}::timestamptz
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid
      and lease_until is not null`.execute(db);
  return numAffectedRows === 1n;
}

/** Gives it back, if it is still held. */
export async function releaseExtractionLease(
  db: Db,
  accountId: string,
  holder: string,
): Promise<void> {
  await sql`
    update knowledge set lease_until = null
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid`.execute(db);
}

/** Of processes that are gone: nobody else works on an embedded database. */
export async function releaseAllExtractionLeases(db: Db): Promise<void> {
  await sql`update knowledge set lease_until = null where lease_until is not null`.execute(db);
}

/** Moves on and gives it back; false where another reads by now, and all is to be undone. */
export async function advanceExtractionCursor(
  tx: Tx,
  accountId: string,
  holder: string,
  readTo: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update knowledge set read_to = ${readTo}::bigint, lease_until = null
    where account_id = ${accountId}::uuid and leased_by = ${holder}::uuid`.execute(tx);
  return numAffectedRows === 1n;
}
