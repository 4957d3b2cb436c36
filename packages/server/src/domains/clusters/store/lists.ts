import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import { type ClusterRecord, nameKey } from '../model.ts';
import { clusterColumns, visibleClustersCondition } from './clusters.ts';

export interface ClusterFilter {
  /** Visible spaces (`default`: none); null: all. */
  readonly visible: readonly string[] | null;
  readonly q?: string | undefined;
  /** Undefined: all; null: account-wide ones. */
  readonly spaceId?: string | null | undefined;
  readonly type?: string | undefined;
  readonly hasMemories?: boolean | undefined;
  /** In lower case, in all spellings. */
  readonly colors?: readonly string[] | undefined;
}

const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

function clusterConditions(accountId: string, filter: ClusterFilter): RawBuilder<unknown> {
  const { visible, q, spaceId, type, hasMemories, colors } = filter;
  const conditions = [
    sql`account_id = ${accountId}::uuid`,
    sql`run_id is null`,
    visibleClustersCondition(visible),
    ...(q === undefined
      ? []
      : [
          sql`(normalized_name like ${pattern(nameKey(q))}
            or coalesce(description, '') ilike ${pattern(q)})`,
        ]),
    ...(spaceId === undefined ? [] : [sql`space_id is not distinct from ${spaceId}::uuid`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(hasMemories === undefined ? [] : [sql`(memory_count > 0) = ${hasMemories}::boolean`]),
    ...(colors === undefined ? [] : [sql`lower(color) = any(${colors}::text[])`]),
  ];
  return sql.join(conditions, sql` and `);
}

export type ClusterSortField =
  | 'name'
  | 'created_at'
  | 'updated_at'
  | 'memory_count'
  | 'silhouette_score';
type Order = 'asc' | 'desc';

/** Clusters without a score are last in both orders. */
function sortKey(sort: ClusterSortField, order: Order): RawBuilder<unknown> {
  if (sort === 'name') return sql`normalized_name collate "C"`;
  if (sort !== 'silhouette_score') return sql.ref(sort);
  return order === 'asc'
    ? sql`coalesce(silhouette_score, 'Infinity'::float8)`
    : sql`coalesce(silhouette_score, '-Infinity'::float8)`;
}

/** The value of a cursor, in the form that the database compares. */
function cursorValue(sort: ClusterSortField, order: Order, value: unknown): RawBuilder<unknown> {
  if (sort === 'name') return sql`${value as string}::text collate "C"`;
  if (sort === 'memory_count') return sql`${value as number}::bigint`;
  if (sort !== 'silhouette_score') return sql`${new Date(value as number)}::timestamptz`;
  const none = order === 'asc' ? 'Infinity' : '-Infinity';
  return sql`${value === null ? none : String(value)}::text::float8`;
}

export interface ClusterPageQuery {
  readonly sort: ClusterSortField;
  readonly order: Order;
  /** Start of the page: after this position. */
  readonly after: { readonly value: unknown; readonly id: string } | null;
  readonly limit: number;
  readonly offset: number;
}

export async function listClusterRows(
  db: Db,
  accountId: string,
  filter: ClusterFilter,
  page: ClusterPageQuery,
): Promise<{ rows: ClusterRecord[]; total: number }> {
  const { sort, order, after } = page;
  const key = sortKey(sort, order);
  const direction = sql.raw(order);
  const beyond =
    after === null
      ? sql``
      : sql`and (${key}, id) ${sql.raw(order === 'asc' ? '>' : '<')}
          (${cursorValue(sort, order, after.value)}, ${after.id}::uuid)`;
  const where = clusterConditions(accountId, filter);
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters where ${where} ${beyond}
    order by ${key} ${direction}, id ${direction}
    limit ${page.limit}::int offset ${page.offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from clusters where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Some visible clusters in the order of ids, after a cursor. */
export async function listClustersAfter(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  { after, limit }: { after: string; limit: number },
): Promise<ClusterRecord[]> {
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters
    where ${clusterConditions(accountId, { visible })} and id > ${after}::uuid
    order by id limit ${limit}::int`.execute(db);
  return rows;
}

/** The visible clusters of a memory, by name. */
export async function clustersOfMemory(
  db: Db,
  accountId: string,
  memoryId: string,
  visible: readonly string[] | null,
  page: { limit: number; offset: number },
): Promise<{
  rows: (ClusterRecord & { confidence: number; added_at: Date })[];
  total: number;
}> {
  const from = sql`from (select ${clusterColumns}, normalized_name from clusters
      where ${clusterConditions(accountId, { visible })}) as c
    join (select member_set_id as joined_id, confidence, added_at from cluster_memories
      where account_id = ${accountId}::uuid and memory_id = ${memoryId}::uuid) as m
      on m.joined_id = c.member_set_id`;
  const { rows } = await sql<ClusterRecord & { confidence: number; added_at: Date }>`
    select c.*, m.confidence, m.added_at ${from}
    order by c.normalized_name collate "C", c.id
    limit ${page.limit}::int offset ${page.offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** The visible clusters of each of the memories. */
export async function clusterNamesOfMemories(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
  visible: readonly string[] | null,
): Promise<{ memory_id: string; id: string; name: string }[]> {
  const { rows } = await sql<{ memory_id: string; id: string; name: string }>`
    select m.memory_id, c.id, c.name from cluster_memories m
    join (
      select id, name, member_set_id from clusters where
        ${clusterConditions(accountId, { visible })}
    ) as c on c.member_set_id = m.member_set_id
    where m.account_id = ${accountId}::uuid and m.memory_id = any(${memoryIds}::uuid[])
    order by c.id`.execute(db);
  return rows;
}

export interface ClusterCounts {
  readonly by_type: Readonly<Record<string, number>>;
  readonly total: number;
  readonly empty: number;
  readonly memberships: number;
}

export async function countClusters(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
): Promise<ClusterCounts> {
  const { rows } = await sql<{ type: string; n: number; empty: number; members: number }>`
    select type, count(*) as n, count(*) filter (where memory_count = 0) as empty,
      coalesce(sum(memory_count), 0)::bigint as members
    from clusters where ${clusterConditions(accountId, { visible })} group by type`.execute(db);
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((total, row) => total + Number(of(row)), 0);
  return {
    by_type: Object.fromEntries(rows.map(({ type, n }) => [type, n])),
    total: sum(({ n }) => n),
    empty: sum(({ empty }) => empty),
    memberships: sum(({ members }) => members),
  };
}

export async function countClustersByColor(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
): Promise<{ color: string | null; count: number }[]> {
  const { rows } = await sql<{ color: string | null; count: number }>`
    select lower(color) as color, count(*) as count from clusters
    where ${clusterConditions(accountId, { visible })} group by lower(color)`.execute(db);
  return rows;
}

/** Number of visible active memories, and how many of them are in a visible cluster. */
export async function countClusteredMemories(
  db: Db,
  accountId: string,
  visible: MemoryVisibility,
): Promise<{ memories: number; clustered: number }> {
  const isVisible = clusterConditions(accountId, { visible: visible.spaces });
  const { rows } = await sql<{ memories: number; clustered: number }>`
    select count(*) as memories, count(m.memory_id) as clustered
    from ${visibleMemoriesSubquery(accountId, visible)} as v left join (
      select distinct memory_id from cluster_memories
      where account_id = ${accountId}::uuid and member_set_id in (
        select member_set_id from clusters where ${isVisible})
    ) as m on m.memory_id = v.id`.execute(db);
  return rows[0] ?? { memories: 0, clustered: 0 };
}
