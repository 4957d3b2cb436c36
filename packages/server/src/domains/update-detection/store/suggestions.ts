import { type RawBuilder, sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import type { FactSuggestion, MemoryPair, NewSuggestion, SuggestionRecord } from '../model.ts';

/** The ranking knows so many memories that probably outdate another one. */
export const likelyMax = 10;

/** What texts and facts say together: the more probable counts. */
const columns = sql.raw(`newer_id, older_id, greatest(confidence, fact_confidence) as confidence,
  case when confidence >= fact_confidence or fact_reason is null then reason
    else fact_reason end as reason,
  fact_id, status, created_at`);

/** Suggestions in which a memory is the newer or the older one, the most probable first. */
export async function listSuggestions(
  db: Db,
  accountId: string,
  memoryId: string,
  { status, limit }: { readonly status: string; readonly limit: number },
): Promise<SuggestionRecord[]> {
  const { rows } = await sql<SuggestionRecord>`
    select ${columns} from update_suggestions
    where account_id = ${accountId}::uuid and status = ${status}
      and (newer_id = ${memoryId}::uuid or older_id = ${memoryId}::uuid)
    order by greatest(confidence, fact_confidence) desc, newer_id desc, older_id desc
    limit ${limit}::int`.execute(db);
  return rows;
}

export async function lockSuggestion(
  tx: Tx,
  accountId: string,
  { newerId, olderId }: MemoryPair,
): Promise<SuggestionRecord | undefined> {
  const { rows } = await sql<SuggestionRecord>`
    select ${columns} from update_suggestions
    where account_id = ${accountId}::uuid and newer_id = ${newerId}::uuid
      and older_id = ${olderId}::uuid
    for update`.execute(tx);
  return rows[0];
}

export async function setSuggestionStatus(
  tx: Tx,
  accountId: string,
  { newerId, olderId }: MemoryPair,
  status: string,
): Promise<void> {
  await sql`
    update update_suggestions set status = ${status}
    where account_id = ${accountId}::uuid and newer_id = ${newerId}::uuid
      and older_id = ${olderId}::uuid`.execute(tx);
}

/** Keys of the pairs that were decided: they are not suggested again. */
export async function findDecidedPairs(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<MemoryPair[]> {
  const { rows } = await sql<MemoryPair>`
    select newer_id as "newerId", older_id as "olderId" from update_suggestions
    where account_id = ${accountId}::uuid and status <> 'open'
      and (newer_id = any(${memoryIds}::uuid[]) or older_id = any(${memoryIds}::uuid[]))`.execute(
    db,
  );
  return rows;
}

/** Adds suggestions of texts, or renews open ones; returns the pairs that are new. */
export async function upsertSuggestions(
  tx: Tx,
  accountId: string,
  suggestions: readonly NewSuggestion[],
  now: Date,
): Promise<MemoryPair[]> {
  if (suggestions.length === 0) return [];
  const json = JSON.stringify(
    suggestions.map(({ newerId: n, olderId: o, confidence: c, reason: r, status: s }) => ({
      n,
      o,
      c,
      r,
      s,
    })),
  );
  const { rows } = await sql<MemoryPair & { is_new: boolean }>`
    insert into update_suggestions (account_id, newer_id, older_id, confidence, reason, status,
      created_at)
    select account.account_id, n, o, c, r, s, ${now}::timestamptz
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (n uuid, o uuid, c real, r text, s text)
    on conflict (account_id, newer_id, older_id) do update set
      confidence = excluded.confidence, reason = excluded.reason, status = excluded.status
      where update_suggestions.status = 'open'
    returning newer_id as "newerId", older_id as "olderId", xmax = 0 as is_new`.execute(tx);
  return rows.filter(({ is_new: isNew }) => isNew);
}

/** Open suggestions by the memories that take part. */
export interface OpenSuggestions {
  readonly newerIds: readonly string[];
  readonly olderIds: readonly string[];
}

const areOpen = (
  accountId: string,
  { newerIds, olderIds }: OpenSuggestions,
): RawBuilder<unknown> => sql`
  account_id = ${accountId}::uuid and status = 'open'
  and (newer_id = any(${newerIds}::uuid[]) or older_id = any(${olderIds}::uuid[]))`;

/** Adds suggestions of facts, or renews open ones; returns the pairs that are new. */
export async function upsertFactSuggestions(
  tx: Tx,
  accountId: string,
  suggestions: readonly FactSuggestion[],
  now: Date,
): Promise<MemoryPair[]> {
  if (suggestions.length === 0) return [];
  const json = JSON.stringify(
    suggestions.map(({ newerId: n, olderId: o, factId: f, confidence: c, reason: r }) => ({
      n,
      o,
      f,
      c,
      r,
    })),
  );
  const { rows } = await sql<MemoryPair & { is_new: boolean }>`
    insert into update_suggestions (account_id, newer_id, older_id, fact_id, fact_confidence,
      fact_reason, status, created_at)
    select account.account_id, n, o, f, c, r, 'open', ${now}::timestamptz
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (n uuid, o uuid, f uuid, c real, r text)
    on conflict (account_id, newer_id, older_id) do update set fact_id = excluded.fact_id,
      fact_confidence = excluded.fact_confidence, fact_reason = excluded.fact_reason
      where update_suggestions.status = 'open'
    returning newer_id as "newerId", older_id as "olderId", xmax = 0 as is_new`.execute(tx);
  return rows.filter(({ is_new: isNew }) => isNew);
}

/** Suggestions of any status about these older memories, in the order of the newer ones. */
export async function findSuggestionsAbout(
  db: Db,
  accountId: string,
  olderIds: readonly string[],
): Promise<(MemoryPair & { readonly hasFact: boolean })[]> {
  const { rows } = await sql<MemoryPair & { hasFact: boolean }>`
    select newer_id as "newerId", older_id as "olderId", fact_id is not null as "hasFact"
    from update_suggestions
    where account_id = ${accountId}::uuid and older_id = any(${olderIds}::uuid[])
    order by newer_id`.execute(db);
  return rows;
}

/** Withdraws what facts say about older memories, but for the given pairs; texts may remain. */
export async function withdrawFactSuggestions(
  tx: Tx,
  accountId: string,
  olderIds: readonly string[],
  except: readonly MemoryPair[],
): Promise<void> {
  const withdrawn = sql`${areOpen(accountId, { newerIds: [], olderIds })}
    and fact_id is not null and ${isNoneOf(except)}`;
  await sql`delete from update_suggestions where ${withdrawn} and confidence is null`.execute(tx);
  await sql`
    update update_suggestions set fact_id = null, fact_confidence = null, fact_reason = null
    where ${withdrawn}`.execute(tx);
}

const isNoneOf = (pairs: readonly MemoryPair[]): RawBuilder<unknown> => {
  const json = JSON.stringify(pairs.map(({ newerId: n, olderId: o }) => ({ n, o })));
  return sql`not exists (
    select from json_to_recordset(${json}::json) as row (n uuid, o uuid)
    where n = newer_id and o = older_id)`;
};

/**
 * Withdraws what texts say, but for the given pairs; facts may remain. Returns the ids of the older
 * memories.
 */
export async function withdrawTextSuggestions(
  tx: Tx,
  accountId: string,
  open: OpenSuggestions,
  except: readonly MemoryPair[],
): Promise<string[]> {
  const { rows } = await sql<{ older_id: string }>`
    update update_suggestions set confidence = null, reason = null
    where ${areOpen(accountId, open)} and fact_id is not null and confidence is not null
      and ${isNoneOf(except)}
    returning older_id`.execute(tx);
  const { rows: deleted } = await sql<{ older_id: string }>`
    delete from update_suggestions
    where ${areOpen(accountId, open)} and fact_id is null and ${isNoneOf(except)}
    returning older_id`.execute(tx);
  return [...rows, ...deleted].map(({ older_id: id }) => id);
}

/** Deletes open suggestions, whatever says so. */
export async function deleteOpenSuggestions(
  tx: Tx,
  accountId: string,
  open: OpenSuggestions,
): Promise<void> {
  await sql`delete from update_suggestions where ${areOpen(accountId, open)}`.execute(tx);
}

/** The ids of the older memories of open suggestions. */
export async function findOlderIds(
  tx: Tx,
  accountId: string,
  open: OpenSuggestions,
): Promise<string[]> {
  const { rows } = await sql<{ older_id: string }>`
    select distinct older_id from update_suggestions
    where ${areOpen(accountId, open)}`.execute(tx);
  return rows.map(({ older_id: id }) => id);
}

/** For each of these memories what probably outdates it, the most probable first. */
export async function listLikelySuccessors(
  tx: Tx,
  accountId: string,
  olderIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ older_id: string; newer_ids: string[] }>`
    select older_id,
      (array_agg(newer_id order by greatest(confidence, fact_confidence) desc, newer_id desc)
        )[1:${likelyMax}::int] as newer_ids
    from update_suggestions
    where account_id = ${accountId}::uuid and older_id = any(${olderIds}::uuid[])
      and status = 'open'
    group by older_id`.execute(tx);
  const found = new Map(rows.map((row) => [row.older_id, row.newer_ids]));
  return new Map(olderIds.map((id) => [id, found.get(id) ?? []]));
}

/** The open suggestions about these older memories. */
export async function listOpenPairs(
  tx: Tx,
  accountId: string,
  olderIds: readonly string[],
): Promise<MemoryPair[]> {
  const { rows } = await sql<MemoryPair>`
    select newer_id as "newerId", older_id as "olderId" from update_suggestions
    where account_id = ${accountId}::uuid and status = 'open'
      and older_id = any(${olderIds}::uuid[])`.execute(tx);
  return rows;
}

export async function deleteSuggestions(
  tx: Tx,
  accountId: string,
  pairs: readonly MemoryPair[],
): Promise<void> {
  const json = JSON.stringify(pairs.map(({ newerId: n, olderId: o }) => ({ n, o })));
  await sql`
    delete from update_suggestions where account_id = ${accountId}::uuid
      and (newer_id, older_id) in (
        select n, o from json_to_recordset(${json}::json) as row (n uuid, o uuid)
      )`.execute(tx);
}
