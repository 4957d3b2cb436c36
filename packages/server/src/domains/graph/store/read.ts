import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { inSpaces } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import type { EntityRecord, FactDetails } from '../model.ts';

/** The account whose graph is read, and the visible spaces. */
export interface Visibility {
  readonly accountId: string;
  /** `default`: account level. Null: all spaces. */
  readonly visible: readonly string[] | null;
}

/** A page of a list. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

export const visibleSpaceCondition = (
  { visible }: Visibility,
  column: string,
): RawBuilder<unknown> =>
  visible === null
    ? sql``
    : sql`and coalesce(${sql.raw(column)}::text, 'default') = any(${visible}::text[])`;

/** Entities `e` that are retained or that a visible memory mentions. */
const entityIsVisible = (scope: Visibility): RawBuilder<unknown> => sql`
  e.account_id = ${scope.accountId}::uuid ${visibleSpaceCondition(scope, 'e.space_id')}
  and (e.is_retained or e.id in (
    select m.entity_id from mentions m
    join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
      as v on v.id = m.memory_id
    where m.account_id = ${scope.accountId}::uuid
  ))`;

const entityColumns = sql.raw(`e.account_id, e.id, e.space_id, e.name, e.type, e.is_retained,
  e.merged_into, e.merged_at, e.created_at, e.updated_at`);

export interface EntityFilter {
  readonly spaceId?: string | null | undefined;
  readonly type?: string | undefined;
  /** Part of a name or alias, in lower case. */
  readonly nameContains?: string | undefined;
}

const entityConditions = ({
  spaceId,
  type,
  nameContains,
}: EntityFilter): RawBuilder<unknown> => sql`
  ${spaceId === undefined ? sql`` : sql`and e.space_id is not distinct from ${spaceId}::uuid`}
  ${type === undefined ? sql`` : sql`and e.type = ${type}`}
  ${
    nameContains === undefined
      ? sql``
      : sql`and exists (
          select from entity_names n
          where n.account_id = e.account_id and n.entity_id = e.id
            and position(${nameContains} in lower(n.name)) > 0)`
  }`;

/** By name; `total` counts all matches of the filter. */
export async function listEntities(
  db: Db,
  scope: Visibility,
  filter: EntityFilter,
  { limit, offset }: PageRange,
): Promise<{ records: EntityRecord[]; total: number }> {
  const where = sql`${entityIsVisible(scope)} and e.merged_into is null
  ${entityConditions(filter)}`;
  const { rows } = await sql<EntityRecord>`
    select ${entityColumns} from entities e where ${where}
    order by lower(e.name) collate "C", e.id limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from entities e where ${where}`.execute(db);
  return { records: rows, total: counted.rows[0]?.total ?? 0 };
}

/** Finds an entity, or the final target that it was merged into by a time. */
export async function resolveEntity(
  db: Db,
  accountId: string,
  id: string,
  knownAt: Date,
): Promise<EntityRecord | undefined> {
  const { rows } = await sql<EntityRecord>`
    with recursive way as (
      select id, merged_into, merged_at, 0 as step from entities
      where account_id = ${accountId}::uuid and id = ${id}::uuid
      union all
      select e.id, e.merged_into, e.merged_at, way.step + 1 from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.merged_into
      where way.merged_at <= ${knownAt}::timestamptz
    )
    select ${entityColumns} from entities e
    where e.account_id = ${accountId}::uuid
      and e.id = (select id from way order by step desc limit 1)`.execute(db);
  return rows[0];
}

/** Whether it is retained or a visible memory mentions it. */
export async function isEntityVisible(db: Db, scope: Visibility, id: string): Promise<boolean> {
  // For one entity: `entityIsVisible` would evaluate the mentions of every memory.
  const { rows } = await sql`
    select from entities e
    where e.account_id = ${scope.accountId}::uuid and e.id = ${id}::uuid
      ${visibleSpaceCondition(scope, 'e.space_id')}
      and (e.is_retained or exists (
        select from mentions m
        join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
          as v on v.id = m.memory_id
        where m.account_id = ${scope.accountId}::uuid and m.entity_id = ${id}::uuid
      ))`.execute(db);
  return rows.length > 0;
}

/** An entity with the number of memories that mention it. */
export interface MentionedEntity {
  readonly id: string;
  readonly name: string;
  readonly type: EntityRecord['type'];
  readonly memory_count: number;
}

/** Visible entities that these memories mention: most mentioned first, then by name. */
export async function findMostMentioned(
  db: Db,
  scope: Visibility,
  memoryIds: readonly string[],
  limit: number,
): Promise<MentionedEntity[]> {
  const { rows } = await sql<MentionedEntity>`
    select e.id, e.name, e.type, count(*) as memory_count from mentions m
    join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
      as v on v.id = m.memory_id
    join entities e on e.account_id = m.account_id and e.id = m.entity_id
    where m.account_id = ${scope.accountId}::uuid and m.memory_id = any(${memoryIds}::uuid[])
      and e.merged_into is null ${visibleSpaceCondition(scope, 'e.space_id')}
    group by e.id, e.name, e.type
    order by count(*) desc, lower(e.name) collate "C", e.id limit ${limit}::int`.execute(db);
  return rows;
}

/** Names other than the main one, by name. */
export async function aliasesOf(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ entity_id: string; name: string }>`
    select distinct n.entity_id, n.name from entity_names n
    join entities e on e.account_id = n.account_id and e.id = n.entity_id
    where n.account_id = ${accountId}::uuid and n.entity_id = any(${ids}::uuid[])
      and n.name <> e.name
    order by n.name`.execute(db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.entity_id)].map(([id, ownName]) => [
      id,
      ownName.map(({ name }) => name),
    ]),
  );
}

export interface FactFilter {
  /** About any of these entities, as subject or object. */
  readonly entityIds?: readonly string[];
  readonly ids?: readonly string[];
  readonly predicate?: string | undefined;
  /** Facts that held at this time (valid time). */
  readonly asOf?: Date | undefined;
  /** Facts that were believed at this time (transaction time). Null: believed at any time. */
  readonly knownAt: Date | null;
  readonly relationshipsOnly?: boolean;
  readonly direction?: 'outgoing' | 'incoming' | 'both';
  readonly sessionId?: string | undefined;
  /** Only facts that this memory states. */
  readonly memoryId?: string | undefined;
  /** Only facts that this assertion supports. */
  readonly assertionId?: string;
}

function factWhere(filter: FactFilter): RawBuilder<unknown> {
  const { entityIds, ids, predicate, asOf, knownAt, direction = 'both' } = filter;
  const parts: RawBuilder<unknown>[] = [];
  if (entityIds) {
    const outgoing = sql`f.subject_id = any(${entityIds}::uuid[])`;
    const incoming = sql`f.object_id = any(${entityIds}::uuid[])`;
    if (direction === 'outgoing') parts.push(sql`and ${outgoing}`);
    else if (direction === 'incoming') parts.push(sql`and ${incoming}`);
    else parts.push(sql`and (${outgoing} or ${incoming})`);
  }
  if (ids) parts.push(sql`and f.id = any(${ids}::uuid[])`);
  if (predicate !== undefined) parts.push(sql`and f.predicate = ${predicate}`);
  if (filter.memoryId !== undefined) {
    parts.push(sql`and exists (
      select from assertions a
      where a.account_id = f.account_id and a.id = any(f.sources)
        and a.memory_id = ${filter.memoryId}::uuid)`);
  }
  if (filter.assertionId !== undefined) {
    parts.push(sql`and ${filter.assertionId}::uuid = any(f.sources)
      and (f.subject_id, f.predicate) in (
        select a.subject_id, a.predicate from assertions a
        where a.account_id = f.account_id and a.id = ${filter.assertionId}::uuid)`);
  }
  if (filter.relationshipsOnly) parts.push(sql`and f.object_id is not null`);
  if (asOf) {
    parts.push(sql`and (f.valid_from is null or f.valid_from <= ${asOf}::timestamptz)
      and (f.valid_to is null or f.valid_to > ${asOf}::timestamptz)`);
  }
  if (knownAt) {
    parts.push(sql`and f.recorded_at <= ${knownAt}::timestamptz
      and (f.invalidated_at is null or f.invalidated_at > ${knownAt}::timestamptz)`);
  }
  return sql.join(parts, sql` `);
}

/** Visible memories that state a fact `f`, and whether it has a manual source. */
const sourcesOf = (scope: Visibility, sessionId: string | undefined): RawBuilder<unknown> => sql`
  select array_agg(v.id order by a.recorded_at, v.id) filter (where v.id is not null) as memory_ids,
    bool_or(a.memory_id is null) as is_manual
  from assertions a
  left join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
    as v on v.id = a.memory_id
  ${
    sessionId === undefined
      ? sql``
      : sql`join memories s on s.account_id = a.account_id and s.id = v.id
          and s.session_id = ${sessionId}::uuid`
  }
  where a.account_id = ${scope.accountId}::uuid and a.id = any(f.sources)`;

/** Facts `f` with a manual source or a visible memory. */
export const visibleFactsFromClause = (
  scope: Visibility,
  filter: FactFilter,
): RawBuilder<unknown> => sql`
  from facts f
  join entities s on s.account_id = f.account_id and s.id = f.subject_id
  left join entities o on o.account_id = f.account_id and o.id = f.object_id
  cross join lateral (${sourcesOf(scope, filter.sessionId)}) as said
  where f.account_id = ${scope.accountId}::uuid ${visibleSpaceCondition(scope, 'f.space_id')}
    ${factWhere(filter)} and (said.memory_ids is not null or said.is_manual)`;

/** Newest first. */
export async function listFacts(
  db: Db,
  scope: Visibility,
  filter: FactFilter,
  { limit, offset }: PageRange,
): Promise<{ facts: FactDetails[]; total: number }> {
  const { rows } = await sql<FactDetails>`
    select f.*, s.name as subject_name, o.name as object_name,
      coalesce(said.memory_ids, '{}') as memory_ids
    ${visibleFactsFromClause(scope, filter)}
    order by f.recorded_at desc, f.id desc
    limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total ${visibleFactsFromClause(scope, filter)}`.execute(db);
  return { facts: rows, total: counted.rows[0]?.total ?? 0 };
}
