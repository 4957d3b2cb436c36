import { sql } from 'kysely';
import {
  acrossAccounts,
  acrossAvailableAccounts,
  type Db,
  type Engine,
  isLeaseAvailable,
  isLeaseExpired,
  type LeasedRow,
} from '../../../database/index.ts';
import type { PositionedWrite } from '../../../events/journal.ts';
import type { Lease } from '../../../kernel/lease.ts';

/** As the index of these vectors has it. */
const isToEncode = sql`(is_provisional or lacks_passages)`;

/** Their accounts, each once: from one to the next, without the other vectors of an account. */
const skipThroughAccounts = sql`
  with recursive pending (id) as (
    (select account_id from vectors where ${isToEncode} order by account_id limit 1)
    union all
    select (select account_id from vectors where ${isToEncode} and account_id > pending.id
      order by account_id limit 1)
    from pending where pending.id is not null
  )
  select id from pending`;

/** Accounts with vectors to encode that no other process encodes. */
export async function findAccountsToEncode(
  { db, isDistributed }: Pick<Engine, 'db' | 'isDistributed'>,
  now: Date,
  limit: number,
): Promise<string[]> {
  // Citus runs no recursion over several accounts. Each shard reads the index of these vectors.
  const waiting = isDistributed
    ? sql`select distinct account_id as id from vectors where ${isToEncode}`
    : sql`select id from (${skipThroughAccounts}) as skipped where id is not null`;
  const { rows } = await sql<{ id: string }>`
    select id from (${waiting}) as waiting left join encoding_leases on account_id = id
    where ${isLeaseExpired('encoding_leases.lease_until', now)}
    limit ${limit}::int`.execute(acrossAvailableAccounts(db, 'the encoder looks for texts'));
  return rows.map(({ id }) => id);
}

/** Whether an account has vectors to encode. */
export async function hasVectorsToEncode(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from vectors where account_id = ${accountId}::uuid and ${isToEncode} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Provisional vectors of all accounts. */
export async function countProvisional(db: Db): Promise<number> {
  const { rows } = await sql<{ vectors: string }>`
    select count(*) as vectors from vectors where is_provisional`.execute(
    acrossAccounts(db, 'metrics count texts to encode'),
  );
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

/** What is to be made of a document's text by a model. */
export interface PendingEncoding {
  readonly id: string;
  /** Its vector is an approximation. */
  readonly isProvisional: boolean;
  readonly lacksPassages: boolean;
}

const pendingColumns = sql`document_id as id, is_provisional as "isProvisional",
  lacks_passages as "lacksPassages"`;

/** What is to be encoded by a model, in the order in which it was written. */
export async function listPendingEncodings(
  db: Db,
  accountId: string,
  model: string,
  limit: number,
): Promise<PendingEncoding[]> {
  const { rows } = await sql<PendingEncoding>`
    select ${pendingColumns} from vectors
    where account_id = ${accountId}::uuid and model = ${model} and ${isToEncode}
    order by position, document_id limit ${limit}::int`.execute(db);
  return rows;
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

/** The stored terms of documents, by id. */
export async function readTerms(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; terms: string }>`
    select id, terms from documents
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and terms is not null`.execute(db);
  return new Map(rows.map(({ id, terms }) => [id, terms]));
}

/** Final vectors of a document, as bytes; null: the stored ones stay. */
export interface EncodedDocument {
  readonly id: string;
  readonly vector: Int8Array | null;
  /** Of its passages, one after the other. */
  readonly passages: Int8Array | null;
}

const toBase64 = (bytes: Int8Array | null): string | null =>
  bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** Rows of i, v and p: the id, the vector and those of the passages. */
export const encodedJson = (documents: readonly EncodedDocument[]): string =>
  JSON.stringify(
    documents.map(({ id, vector, passages }) => ({
      i: id,
      v: toBase64(vector),
      p: toBase64(passages),
    })),
  );

/** Replaces provisional vectors and adds those of passages; others, written since, stay. */
export function replaceProvisional(
  accountId: string,
  model: string,
  documents: readonly EncodedDocument[],
): PositionedWrite {
  const json = encodedJson(documents);
  return (place) => [
    sql`
      update vectors set
        vector = case when is_provisional and v is not null then decode(v, 'base64')
          else vector end,
        is_provisional = is_provisional and v is null,
        passages = coalesce(decode(p, 'base64'), passages),
        lacks_passages = lacks_passages and p is null,
        position = ${place.position}
      from json_to_recordset(${json}::json) as row (i uuid, v text, p text)
      where account_id = ${accountId}::uuid and document_id = i
        and vectors.model = ${model} and ${isToEncode}`,
  ];
}

/** Keeps vectors as they are for good: there is no text to encode, or the model rejects it. */
export async function keepProvisional(
  db: Db,
  accountId: string,
  model: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update vectors set is_provisional = false, lacks_passages = false, position = null
    where account_id = ${accountId}::uuid and document_id = any(${ids}::uuid[])
      and model = ${model} and ${isToEncode}`.execute(db);
}

interface VectorChange {
  readonly id: string;
  readonly vector: Uint8Array;
  /** Null: none, or not yet. */
  readonly passages: Uint8Array | null;
}

interface VectorChangesPage {
  readonly rows: readonly VectorChange[];
  /** Start of the next page; null: there is none. */
  readonly next: { readonly position: number; readonly id: string } | null;
}

/**
 * Vectors that were replaced after a position, in the order of their changes: at most `rows`, and
 * at most `bytes` of vectors of passages except for the last.
 */
export async function readVectorChanges(
  db: Db,
  accountId: string,
  after: { readonly position: number; readonly id: string },
  model: string,
  limits: { readonly rows: number; readonly bytes: number },
): Promise<VectorChangesPage> {
  const { rows } = await sql<VectorChange & { position: number; bytes_to_here: number }>`
    with page as (
      select document_id as id, vector, passages, position,
        coalesce(octet_length(passages), 0) as bytes
      from vectors
      where account_id = ${accountId}::uuid and position is not null and not is_provisional
        and (position, document_id) > (${after.position}::bigint, ${after.id}::uuid)
        and model = ${model}
      order by position, document_id limit ${limits.rows}::int
    ), sized as (
      select page.*, sum(bytes) over (order by position, id)::bigint as bytes_to_here from page
    )
    select id, vector, passages, position, bytes_to_here from sized
    where bytes_to_here - bytes < ${limits.bytes}::bigint order by position, id`.execute(db);
  const last = rows.at(-1);
  const isFull = rows.length === limits.rows || (last?.bytes_to_here ?? 0) >= limits.bytes;
  return { rows, next: last && isFull ? last : null };
}
