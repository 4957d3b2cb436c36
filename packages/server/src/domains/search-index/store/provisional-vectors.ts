import { sql } from 'kysely';
import {
  type Db,
  isLeaseAvailable,
  isLeaseExpired,
  type LeasedRow,
} from '../../../database/index.ts';
import type { PositionedWrite } from '../../../events/journal.ts';
import type { Lease } from '../../../kernel/lease.ts';

/** Accounts with provisional vectors that no other process replaces, found by skipping. */
export async function findAccountsToEncode(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive pending (id) as (
      (select account_id from vectors where is_provisional order by account_id limit 1)
      union all
      select (select account_id from vectors where is_provisional and account_id > pending.id
        order by account_id limit 1)
      from pending where pending.id is not null
    )
    select id from pending left join encoding_leases on account_id = id
    where id is not null and ${isLeaseExpired('encoding_leases.lease_until', now)}
    limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/** Provisional vectors of all accounts. */
export async function countProvisional(db: Db): Promise<number> {
  const { rows } = await sql<{ vectors: string }>`
    select count(*) as vectors from vectors where is_provisional`.execute(db);
  return Number(rows[0]?.vectors);
}

/** The right to encode the texts of an account, as the row of a lease. */
export const encodingLeaseOf = (accountId: string): LeasedRow => ({
  table: 'encoding_leases',
  where: sql`account_id = ${accountId}::uuid`,
});

/** False if another process has the lease. */
export async function acquireEncodingLease(
  db: Db,
  accountId: string,
  { holder, until }: Lease,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into encoding_leases (account_id, lease_until, leased_by)
    values (${accountId}::uuid, ${until}::timestamptz, ${holder}::uuid)
    on conflict (account_id) do update set
      lease_until = excluded.lease_until, leased_by = excluded.leased_by
    where ${isLeaseAvailable('encoding_leases', holder, now)}`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteEncodingLease(db: Db, accountId: string): Promise<void> {
  await sql`delete from encoding_leases where account_id = ${accountId}::uuid`.execute(db);
}

/** Documents with a provisional vector of a model, in the order in which they were written. */
export async function listProvisional(
  db: Db,
  accountId: string,
  model: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('vectors')
    .select('document_id')
    .where('account_id', '=', accountId)
    .where('model', '=', model)
    .where('is_provisional', '=', true)
    .orderBy('position')
    .orderBy('document_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.document_id);
}

/** Of these documents, those with a provisional vector of the model. */
export async function filterProvisional(
  db: Db,
  accountId: string,
  model: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select document_id as id from vectors
    where account_id = ${accountId}::uuid and document_id = any(${ids}::uuid[])
      and model = ${model} and is_provisional`.execute(db);
  return rows.map(({ id }) => id);
}

/** Replaces provisional vectors; others, written since, stay. */
export function replaceProvisional(
  accountId: string,
  model: string,
  vectors: readonly { readonly id: string; readonly bytes: Int8Array }[],
): PositionedWrite {
  const json = JSON.stringify(
    vectors.map(({ id, bytes }) => ({ i: id, v: Buffer.from(bytes.buffer).toString('base64') })),
  );
  return (name) => sql`
    ${name('replaced')} as (
      update vectors set vector = decode(v, 'base64'), is_provisional = false,
        position = place.position
      from json_to_recordset(${json}::json) as row (i uuid, v text), place
      where place.account_id = ${accountId}::uuid and vectors.account_id = ${accountId}::uuid
        and vectors.document_id = i and vectors.model = ${model} and vectors.is_provisional
    )`;
}

/** Keeps provisional vectors for good: there is no text to encode, or the model rejects it. */
export async function keepProvisional(
  db: Db,
  accountId: string,
  model: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update vectors set is_provisional = false, position = null
    where account_id = ${accountId}::uuid and document_id = any(${ids}::uuid[])
      and model = ${model} and is_provisional`.execute(db);
}

interface VectorChange {
  readonly id: string;
  readonly vector: Uint8Array;
}

interface VectorChangesPage {
  readonly rows: readonly VectorChange[];
  /** Start of the next page; null: there is none. */
  readonly next: { readonly position: number; readonly id: string } | null;
}

/** Vectors that were replaced after a position, in the order of their changes. */
export async function readVectorChanges(
  db: Db,
  accountId: string,
  after: { readonly position: number; readonly id: string },
  model: string,
  limit: number,
): Promise<VectorChangesPage> {
  const { rows } = await sql<VectorChange & { position: number }>`
    select document_id as id, vector, position from vectors
    where account_id = ${accountId}::uuid and position is not null and not is_provisional
      and (position, document_id) > (${after.position}::bigint, ${after.id}::uuid)
      and model = ${model}
    order by position, document_id limit ${limit}::int`.execute(db);
  const last = rows.at(-1);
  return { rows, next: last && rows.length === limit ? last : null };
}
