import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { memoryColumns, selectUnerasedMemories } from './memories.ts';

export interface PageLimits {
  readonly rows: number;
  /** Total bytes of content; a page has at least one memory. */
  readonly bytes: number;
}

/** Memories ordered by id, including soft-deleted ones. */
export async function listMemoriesAfter(
  db: Db,
  accountId: string,
  after: string | null,
  size: PageLimits,
): Promise<MemoryRecord[]> {
  const { rows } = await sql<MemoryRecord>`
    with page as materialized (
      select id, octet_length(content) as bytes from memories
      where account_id = ${accountId}::uuid and erased_at is null
        and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${size.rows}::int
    ), running as (
      select id, sum(bytes) over (order by id) - bytes as before from page
    )
    select ${sql.join(memoryColumns.map((name) => sql.ref(`memories.${name}`)))}
    from memories join running on running.id = memories.id
    where account_id = ${accountId}::uuid and before < ${size.bytes}::bigint
    order by memories.id
  `.execute(db);
  return rows;
}

/** The memories with these ids, unordered, including soft-deleted ones. */
export const findUnerasedMemories = (
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> =>
  selectUnerasedMemories(db, accountId)
    .select(memoryColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

/** The ids whose memories are not erased. */
export async function findUnerasedIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await selectUnerasedMemories(db, accountId)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function countMemories(db: Db, accountId: string): Promise<number> {
  const { count } = await selectUnerasedMemories(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts of the memories of a session. */
export interface SessionMemoryCounts {
  readonly session_id: string;
  /** Without soft-deleted memories. */
  readonly active: number;
  /** Including soft-deleted memories. */
  readonly all: number;
  readonly places: number;
  readonly last_place: number;
}

/** Counts by session id. */
export async function countSessionMemories(
  db: Db,
  accountId: string,
  sessionIds: readonly string[],
): Promise<Map<string, SessionMemoryCounts>> {
  const { rows } = await sql<SessionMemoryCounts>`
    select session_id, count(*) filter (where deleted_at is null) as active, count(*) as all,
      count(distinct session_ordinal) as places, coalesce(max(session_ordinal), 0) as last_place
    from memories
    where account_id = ${accountId}::uuid and erased_at is null
      and session_id = any(${sessionIds}::uuid[])
    group by session_id
  `.execute(db);
  return new Map(rows.map((row) => [row.session_id, row]));
}

/** Ids of sessions that memories reference, ordered, with one index step each. */
export async function findReferencedSessionIds(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const next = (than: ReturnType<typeof sql>) => sql`(
    select session_id from memories
    where account_id = ${accountId}::uuid and erased_at is null and session_id > ${than}
    order by session_id limit 1)`;
  const first = after ?? '00000000-0000-0000-0000-000000000000';
  const { rows } = await sql<{ id: string }>`
    with recursive named (id, n) as (
      select ${next(sql`${first}::uuid`)}, 1
      union all
      select ${next(sql`named.id`)}, n + 1 from named where id is not null and n < ${limit}::int
    )
    select id from named where id is not null order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}
