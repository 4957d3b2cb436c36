import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { selectUnerased } from './memories.ts';

/** What later domains ask of the memories that their own rows refer to. */

/** A memory as a link to it sees it. */
export type LinkTarget = Pick<MemoryRecord, 'id' | 'space_id' | 'is_pinned' | 'deleted_at'>;

const columns = ['id', 'space_id', 'is_pinned', 'deleted_at'] as const;

/** In no order; soft-deleted ones too. */
export const findLinkTargets = (
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<LinkTarget[]> =>
  selectUnerased(db, accountId)
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

/** Locked in the order of ids; rows that refer to them may still be written by others. */
export const lockLinkTargets = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<LinkTarget[]> =>
  selectUnerased(tx, accountId)
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** Which of them are there, softly deleted or not; those stay until the transaction ends. */
export async function lockMemoriesForKeyShare(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await selectUnerased(tx, accountId)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * A relation (id, space_id, is_pinned, created_at, updated_at) for statements of other stores to
 * join: active memories in the visible spaces (`default`: none; null: all).
 */
export const visibleMemoriesSubquery = (
  accountId: string,
  visible: readonly string[] | null,
): RawBuilder<unknown> => sql`(
  select id, space_id, is_pinned, created_at, updated_at from memories
  where account_id = ${accountId}::uuid and erased_at is null and deleted_at is null
  ${
    visible === null
      ? sql``
      : sql`and coalesce(space_id::text, 'default') = any(${visible}::text[])`
  })`;

/**
 * A join that keeps the rows whose `id` is of a memory that is not erased: what is softly deleted
 * could return. Each is looked up by its whole key: without statistics of a new table, the planner
 * would read the whole account for each row.
 */
export const joinExistingMemory = (
  accountId: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  join lateral (
    select erased_at from memories where account_id = ${accountId}::uuid and id = ${id} limit 1
  ) as existing_memory on existing_memory.erased_at is null`;

/** The sizes of contents in bytes of UTF-8, without reading them; soft-deleted ones too. */
export async function readContentSizes(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await selectUnerased(db, accountId)
    .select(['id', sql<number>`octet_length(content)`.as('bytes')])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** How contents begin, as far as memories are there. */
export async function readContentPrefixes(
  db: Db,
  accountId: string,
  ids: readonly string[],
  charactersMax: number,
): Promise<Map<string, string>> {
  const rows = await selectUnerased(db, accountId)
    .select(['id', sql<string>`left(content, ${charactersMax}::int)`.as('text')])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}
