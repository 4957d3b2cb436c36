import { sql } from 'kysely';
import { acrossAvailableAccounts, type Db, type Tx } from '../database/index.ts';

/** The status of a request that has committed some of its transactions, but not the last. */
export const unfinishedStatus = 102;

/** The progress of a request for many items. */
export interface RequestProgress {
  /** Index and id of the stored items; the id is null after an erasure. */
  readonly stored: readonly (readonly [index: number, id: string | null])[];
}

/** The first response to a request with an Idempotency-Key. */
export interface StoredResponse {
  /** Hash of the route and the body of the request. */
  readonly fingerprint: Uint8Array;
  /** The HTTP status; with `unfinishedStatus` the body is a RequestProgress. */
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** The key already has a response, so this transaction would repeat the effect. */
export class StoredResponseExists extends Error {
  override readonly name = 'StoredResponseExists';
}

export async function findStoredResponse(
  db: Db,
  accountId: string,
  key: string,
  since: Date,
): Promise<StoredResponse | undefined> {
  const { rows } = await sql<StoredResponse>`
    select fingerprint, status, headers, body from idempotency
    where account_id = ${accountId}::uuid and key = ${key}
      and created_at >= ${since}::timestamptz`.execute(db);
  return rows[0];
}

/**
 * Stores a response, or the progress of an unfinished request, in the transaction of its effect. It
 * replaces an expired response, and the progress that it `follows`. Throws StoredResponseExists if
 * there is another response, so that the transaction is rolled back.
 */
export async function storeResponse(
  tx: Tx,
  accountId: string,
  key: string,
  outcome: StoredResponse,
  at: { now: Date; expired: Date; follows: RequestProgress | null },
): Promise<void> {
  const follows = at.follows && JSON.stringify(at.follows);
  const body = outcome.body === undefined ? null : JSON.stringify(outcome.body);
  const { numAffectedRows } = await sql`
    insert into idempotency as kept
      (account_id, key, fingerprint, status, headers, body, created_at)
    values (${accountId}::uuid, ${key}, ${outcome.fingerprint}::bytea, ${outcome.status}::int,
      ${JSON.stringify(outcome.headers)}::json, ${body}::json, ${at.now}::timestamptz)
    on conflict (account_id, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, created_at = excluded.created_at
    where kept.created_at < ${at.expired}::timestamptz
      or (kept.status = ${unfinishedStatus}::int and kept.body::jsonb = ${follows}::jsonb)`.execute(
    tx,
  );
  if (numAffectedRows === 0n) throw new StoredResponseExists();
}

const anyUuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * Removes the content of responses with erased ids, one page at a time in the order of the keys: a
 * repeated request receives the status, the top-level id and `erased: true`. In the progress of an
 * unfinished request, null replaces the ids. Returns the last key of the page, or null after the
 * last page.
 */
export async function redactStoredResponses(
  tx: Tx,
  accountId: string,
  erasedIds: readonly string[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null; count: number }>`
    with page as (
      select key, body::text as text from idempotency
      where account_id = ${accountId}::uuid and key > ${after}
      order by key limit ${limit}::int
    ), emptied as (
      update idempotency as kept
      set body = (select case
        when kept.status = ${unfinishedStatus}::int then
          (select json_build_object('stored', json_agg(
            case when item ->> 1 = any(${erasedIds}::text[])
              then json_build_array(item -> 0, null) else item end))
          from json_array_elements(kept.body -> 'stored') as item)
        else json_strip_nulls(json_build_object('id', kept.body ->> 'id', 'erased', true))
      end)
      from page
      where kept.account_id = ${accountId}::uuid and kept.key = page.key and exists (
        select from regexp_matches(page.text, ${anyUuid}, 'g') as found (ids)
        where ids[1] = any(${erasedIds}::text[])
      )
    )
    select max(key) as last, count(*) as count from page`.execute(tx);
  const [page] = rows;
  return page && Number(page.count) === limit ? page.last : null;
}

/** Deletes responses from before `before`; returns how many. */
export async function pruneStoredResponses(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency where (account_id, key) in (
      select account_id, key from idempotency where created_at < ${before}::timestamptz
      order by created_at limit ${limit}::int
    )`.execute(acrossAvailableAccounts(db, 'old responses expire'));
  return Number(numAffectedRows ?? 0n);
}
