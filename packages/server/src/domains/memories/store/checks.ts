import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { memoryColumns, selectUnerased } from './memories.ts';

export interface PageLimits {
  readonly rows: number;
  /** Of content, together; a page has one memory at least. */
  readonly bytes: number;
}

/** Memories in the order of ids, soft-deleted ones too. */
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

/** Of these, soft-deleted ones too; in no order. */
export const findUnerasedMemories = (
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> =>
  selectUnerased(db, accountId)
    .select(memoryColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

/** Which of the ids are memories that are not erased. */
export async function findUnerasedIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await selectUnerased(db, accountId)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function countMemories(db: Db, accountId: string): Promise<number> {
  const { count } = await selectUnerased(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** What the memories of a session say of it. */
export interface SessionMemoryCounts {
  readonly session_id: string;
  /** Not softly deleted. */
  readonly active: number;
  /** Soft-deleted ones too. */
  readonly all: number;
  readonly places: number;
  readonly last_place: number;
}

/** Of the sessions named, by their ids. */
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

/** Sessions that memories name, in order, each found by one step through the index. */
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
