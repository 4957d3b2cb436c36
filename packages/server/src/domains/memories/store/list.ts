import { type MemorySort, type Owner, ownerNames, type ProtectionLevel } from '@mneme/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Tables } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { isNotOutdatedCondition, outdatedDocuments } from '../../search-index/index.ts';
import type { MemoryRecord } from '../model.ts';
import {
  currentSalience,
  isUnexpired,
  mayBeOutdated,
  memoryColumns,
  selectUnerasedMemories,
  whereVisible,
} from './memories.ts';

/** What memories of an account are listed, counted or erased; undefined: any. */
export interface MemoryFilter {
  readonly ids?: readonly string[] | undefined;
  /** Undefined: all visible spaces. Null: account level. */
  readonly spaceId?: string | null | undefined;
  readonly visible: MemoryVisibility;
  readonly owner?: { readonly [name in keyof Owner]?: string | undefined };
  readonly sessionId?: string | undefined;
  readonly pinned?: boolean | undefined;
  readonly protected?: boolean | undefined;
  readonly minQuality?: number | undefined;
  readonly minPriority?: number | undefined;
  readonly contentType?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  /** By column: from `after` on, and before `before`. */
  readonly times?: Readonly<Partial<Record<TimeColumn, TimeRange>>>;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly outdated?: boolean | undefined;
  readonly includeDeleted: boolean;
  /** Only soft-deleted ones. */
  readonly onlyDeleted?: boolean;
  /** Memories that have expired by then are left out. */
  readonly now: Date;
}

export interface MemoryListFilter extends MemoryFilter {
  readonly sort: KeySort;
  readonly order: 'asc' | 'desc';
  /** The end of the last page: the value that is sorted by, as text, and the id. */
  readonly after: { readonly value: string; readonly id: string } | null;
  readonly limit: number;
}

type TimeColumn = 'created_at' | 'updated_at' | 'occurred_at';
interface TimeRange {
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

/** What a list is sorted by whose pages continue after a key. */
export type KeySort = Exclude<MemorySort, 'salience'>;

/** What an index has in this order. */
interface SortKey {
  readonly value: RawBuilder<unknown>;
  /** Of the value. */
  readonly type: string;
  readonly id: RawBuilder<unknown>;
  /** How the index has an id. */
  readonly toIndexed: (id: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const byTime = (value: RawBuilder<unknown>, id = sql`id`): SortKey => ({
  value,
  type: 'timestamptz',
  id,
  toIndexed: (uuid) => uuid,
});
const sortKeys: Readonly<Record<KeySort, SortKey>> = {
  created_at: byTime(sql`created_at`),
  updated_at: byTime(sql`updated_at`),
  occurred_at: byTime(sql`coalesce(occurred_at, created_at)`),
  priority: {
    value: sql`priority`,
    type: 'smallint',
    id: sql`id`,
    // In the same order.
    toIndexed: (uuid) => sql`uuid_send(${uuid})`,
  },
};
/** As created_at, of the documents of outdated memories. */
const outdatedKey = byTime(sql`outdated_at`, sql`outdated_id`);

export async function listMemoryRows(
  db: Db,
  accountId: string,
  filter: MemoryListFilter,
): Promise<MemoryRecord[]> {
  const isOfOutdated = filter.outdated === true && filter.sort === 'created_at';
  const key = isOfOutdated ? outdatedKey : sortKeys[filter.sort];
  const matching = isOfOutdated
    ? selectOutdated(db, accountId, filter)
    : selectMatching(db, accountId, filter);
  let query = matching.select(memoryColumns).select(mayBeOutdated(accountId).as('may_be_outdated'));
  const direction = sql.raw(filter.order);
  const id = key.toIndexed(key.id);
  if (filter.after !== null) {
    const isAfter = sql.raw(filter.order === 'asc' ? '>' : '<');
    const value = sql`${filter.after.value}::${sql.raw(key.type)}`;
    const last = sql`(${value}, ${key.toIndexed(sql`${filter.after.id}::uuid`)})`;
    query = query.where(sql<boolean>`(${key.value}, ${id}) ${isAfter} ${last}`);
  }
  return query
    .orderBy(sql`${key.value} ${direction}`)
    .orderBy(sql`${id} ${direction}`)
    .limit(filter.limit)
    .execute();
}

/** The outdated memories that match. Their documents are read in order, until a page is full. */
function selectOutdated(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
): SelectQueryBuilder<Tables, 'memories', object> {
  const documents = outdatedDocuments(accountId, filter.visible, filter.now);
  return selectMatching(db, accountId, { ...filter, outdated: undefined }).innerJoin(
    documents.as('outdated'),
    (join) => join.onRef('outdated_id', '=', 'memories.id'),
  );
}

/** The memories of the account that a filter matches. */
export function selectMatching(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
): SelectQueryBuilder<Tables, 'memories', object> {
  let query = selectUnerasedMemories(db, accountId).where(isUnexpired(filter.now));
  if (filter.ids) query = query.where(sql<boolean>`id = any(${filter.ids}::uuid[])`);
  if (filter.spaceId === null) query = query.where('space_id', 'is', null);
  else if (filter.spaceId !== undefined) query = query.where('space_id', '=', filter.spaceId);
  query = whereVisible(query, filter.visible);
  for (const name of ownerNames) {
    const id = filter.owner?.[name];
    if (id !== undefined) query = query.where(name, '=', id);
  }
  if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
  if (filter.pinned !== undefined) query = query.where('is_pinned', '=', filter.pinned);
  if (filter.protected !== undefined) {
    query = query.where('protection_level', filter.protected ? '<>' : '=', 'none');
  }
  if (filter.minQuality !== undefined)
    query = query.where('quality_score', '>=', filter.minQuality);
  if (filter.minPriority !== undefined) query = query.where('priority', '>=', filter.minPriority);
  if (filter.contentType !== undefined)
    query = query.where('content_type', '=', filter.contentType);
  if (filter.tags) query = query.where(sql<boolean>`tags @> ${filter.tags}::text[]`);
  if (filter.tagsAny) query = query.where(sql<boolean>`tags && ${filter.tagsAny}::text[]`);
  for (const column of ['created_at', 'updated_at', 'occurred_at'] as const) {
    const { after, before } = filter.times?.[column] ?? {};
    if (after) query = query.where(column, '>=', after);
    if (before) query = query.where(column, '<', before);
  }
  query = whereMetadata(query, filter.metadata ?? {});
  if (filter.outdated !== undefined) {
    const { outdated, visible, now } = filter;
    const ofMemory = sql.ref('memories.id');
    query = query.where(
      outdated
        ? sql<boolean>`${ofMemory} in (
            select outdated_id from ${outdatedDocuments(accountId, visible, now)} as outdated)`
        : isNotOutdatedCondition(accountId, visible, ofMemory, now),
    );
  }
  if (!filter.includeDeleted) query = query.where('deleted_at', 'is', null);
  if (filter.onlyDeleted) query = query.where('deleted_at', 'is not', null);
  return query;
}

/** Ids of matching memories by their current salience; those without one are the lowest. */
export async function listIdsBySalience(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<string[]> {
  const direction = sql.raw(order);
  const rows = await selectMatching(db, accountId, filter)
    .select('id')
    .orderBy(sql`coalesce(${currentSalience(filter.now)}, -1) ${direction}`)
    .orderBy(sql`id ${direction}`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How many memories match, without hard-protected ones, and how many of those do. */
export async function countMatchingMemories(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
): Promise<{ count: number; hard_protected: number }> {
  return selectMatching(db, accountId, filter)
    .select([
      sql<number>`count(*) filter (where protection_level <> 'hard')`.as('count'),
      sql<number>`count(*) filter (where protection_level = 'hard')`.as('hard_protected'),
    ])
    .executeTakeFirstOrThrow();
}

/** How many memories match, by their protection. */
export async function countByProtection(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
): Promise<Readonly<Record<ProtectionLevel, number>>> {
  const rows = await selectMatching(db, accountId, filter)
    .select(['protection_level', sql<number>`count(*)::int`.as('count')])
    .groupBy('protection_level')
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.protection_level, row.count]));
  return { none: 0, soft: 0, hard: 0, ...counts };
}

interface IdPage {
  readonly after: string;
  readonly createdUntil?: Date;
  readonly limit: number;
}

/** Ids of matching memories in their order after an id. */
export async function listIdsAfter(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
  page: IdPage,
): Promise<string[]> {
  return (await idsAfter(selectMatching(db, accountId, filter), page).execute()).map(
    ({ id }) => id,
  );
}

function idsAfter(
  matching: SelectQueryBuilder<Tables, 'memories', object>,
  { after, createdUntil, limit }: IdPage,
) {
  const query = matching.select('id').where('id', '>', after).orderBy('id').limit(limit);
  return createdUntil ? query.where('created_at', '<=', createdUntil) : query;
}

/** Ids of matching memories that are not hard-protected, in their order after an id. */
export async function listMatchingIds(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
  page: IdPage,
): Promise<string[]> {
  const erasable = selectMatching(db, accountId, filter).where('protection_level', '<>', 'hard');
  return (await idsAfter(erasable, page).execute()).map(({ id }) => id);
}

/** Keeps memories with these values of their metadata, as text. */
function whereMetadata<O>(
  query: SelectQueryBuilder<Tables, 'memories', O>,
  pairs: Readonly<Record<string, string>>,
): SelectQueryBuilder<Tables, 'memories', O> {
  return Object.entries(pairs).reduce(
    (all, [key, value]) => all.where(sql<boolean>`metadata ->> ${key}::text = ${value}::text`),
    query,
  );
}

/** Ids of active memories whose metadata has these top-level values, compared as text. */
export async function idsWithMetadata(
  db: Db,
  accountId: string,
  pairs: Readonly<Record<string, string>>,
): Promise<Set<string>> {
  const query = selectUnerasedMemories(db, accountId).select('id').where('deleted_at', 'is', null);
  const rows = await whereMetadata(query, pairs).execute();
  return new Set(rows.map((row) => row.id));
}
