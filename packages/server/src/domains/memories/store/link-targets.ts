import { type Owner, type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { andVisible } from '../../search-index/index.ts';
import type { MemoryRecord } from '../model.ts';
import { isUnexpired, selectUnerasedMemories } from './memories.ts';

/** Queries of later domains for memories that their own rows reference. */

/** The columns of a memory that matter for links to it. */
export type LinkTarget = Pick<
  MemoryRecord,
  'id' | 'space_id' | keyof Owner | 'is_pinned' | 'deleted_at'
>;

const columns = ['id', 'space_id', ...ownerNames, 'is_pinned', 'deleted_at'] as const;

/** Unordered, including soft-deleted memories. */
export const findLinkTargets = (
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<LinkTarget[]> =>
  selectUnerasedMemories(db, accountId)
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

/** Locked in the order of ids; other transactions may still insert rows that reference them. */
export const lockLinkTargets = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<LinkTarget[]> =>
  selectUnerasedMemories(tx, accountId)
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** The ids that exist, including soft-deleted ones; they cannot be erased until the commit. */
export async function lockMemoriesForKeyShare(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await selectUnerasedMemories(tx, accountId)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locked like that; of them, those that may be outdated: active, unexpired, unprotected. */
export async function lockOutdatable(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  now: Date,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await selectUnerasedMemories(tx, accountId)
    .select('id')
    .select(
      sql<boolean>`deleted_at is null and protection_level = 'none' and ${isUnexpired(now)}`.as(
        'can_be_outdated',
      ),
    )
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.flatMap(({ id, can_be_outdated }) => (can_be_outdated ? [id] : [])));
}

/**
 * A relation (id, space_id, is_pinned, occurred_at, created_at, updated_at, and the owner) that
 * statements of other stores join: active memories that are visible.
 */
export const visibleMemoriesSubquery = (
  accountId: string,
  visible: MemoryVisibility,
): RawBuilder<unknown> => sql`(
  select id, space_id, is_pinned, occurred_at, created_at, updated_at, user_id, agent_id, run_id
  from memories
  where account_id = ${accountId}::uuid and erased_at is null and deleted_at is null
  ${andVisible(visible)})`;

/**
 * A join that keeps rows whose `id` is a memory that is not erased; soft-deleted ones are
 * restorable and included. The lateral look-up uses the whole key: without statistics, the planner
 * would scan the whole account for each row.
 */
export const joinExistingMemory = (
  accountId: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  join lateral (
    select erased_at from memories where account_id = ${accountId}::uuid and id = ${id} limit 1
  ) as existing_memory on existing_memory.erased_at is null`;

/** The users of these memories without other memories, also none that waits for its erasure. */
export async function findUsersWithoutOthers(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with own as (
      select distinct user_id from memories
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[]) and user_id is not null
    )
    select user_id from own where not exists (
      select from memories as other
      where other.account_id = ${accountId}::uuid and other.user_id = own.user_id
        and other.id <> all(${ids}::uuid[])
    )`.execute(tx);
  return rows.map(({ user_id: id }) => id);
}

/** Which of these users have a memory, or one that waits for its erasure. */
export async function findUsersWithMemories(
  db: Db,
  accountId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from unnest(${userIds}::text[]) as one (user_id)
    where exists (
      select from memories
      where account_id = ${accountId}::uuid and memories.user_id = one.user_id
    )`.execute(db);
  return new Set(rows.map(({ user_id: id }) => id));
}

/**
 * SQL condition: one of the memories with these ids, a subquery with the column `id`, stays when
 * the memories of an owner are erased; null: when nothing is erased. The lateral look-up uses the
 * whole key, as above.
 */
export function remainingMemoryCondition(
  accountId: string,
  ids: RawBuilder<unknown>,
  erased: { readonly owner: OwnerFilter; readonly visible: MemoryVisibility } | null,
): RawBuilder<boolean> {
  const owned = ownerNames.flatMap((name) => {
    const id = erased?.owner[name];
    return id === undefined ? [] : [sql`and ${sql.ref(name)} = ${id}`];
  });
  const isErased =
    erased === null
      ? sql<boolean>`false`
      : sql<boolean>`protection_level <> 'hard' ${sql.join(owned, sql` `)}
          ${andVisible(erased.visible)}`;
  return sql<boolean>`exists (
    select from (${ids}) as linked
    join lateral (
      select (${isErased}) is true as is_erased from memories
      where account_id = ${accountId}::uuid and memories.id = linked.id and erased_at is null
      limit 1
    ) as existing on not existing.is_erased
  )`;
}

/** Content sizes in bytes of UTF-8, without reading the content; including soft-deleted ones. */
export async function readContentSizes(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await selectUnerasedMemories(db, accountId)
    .select(['id', sql<number>`octet_length(content)`.as('bytes')])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** The first characters of contents, for existing memories. */
export async function readContentPrefixes(
  db: Db,
  accountId: string,
  ids: readonly string[],
  charactersMax: number,
): Promise<Map<string, string>> {
  const rows = await selectUnerasedMemories(db, accountId)
    .select(['id', sql<string>`left(content, ${charactersMax}::int)`.as('text')])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}
