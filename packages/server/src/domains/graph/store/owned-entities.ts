import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { isUnexpired } from '../../memories/index.ts';
import { andVisible } from '../../search-index/index.ts';
import type { EntityCategory } from '../entity-category.ts';
import type { EntityRecord } from '../model.ts';
import type { EntityFilter, PageRange } from './read.ts';

/** The memories from which a graph is derived that shows nothing else. */
export interface OwnedScope {
  readonly accountId: string;
  /** What the caller may see. */
  readonly visible: MemoryVisibility;
  /** Whose memories are asked for. */
  readonly owner: OwnerFilter;
  readonly now: Date;
}

/** An entity as these memories tell of it: names, times, and nothing that was entered manually. */
export interface OwnedEntity extends EntityRecord {
  /** The names that they use, the earliest first: at least one. */
  readonly names: readonly string[];
}

/** A relation (id, session_id): the active memories of the scope. */
export function ownedMemories({ accountId, visible, owner, now }: OwnedScope): RawBuilder<unknown> {
  const isOwned = ownerNames.flatMap((name) =>
    owner[name] === undefined ? [] : [sql`and ${sql.ref(name)} = ${owner[name]}`],
  );
  return sql`(
    select id, session_id from memories
    where account_id = ${accountId}::uuid and erased_at is null and deleted_at is null
      and ${isUnexpired(now)} ${andVisible(visible)} ${sql.join(isOwned, sql` `)})`;
}

/**
 * A relation of entities with the names and times of the scope's mentions `m`; `is_matched`:
 * whether one of them meets the condition. Without names nothing is known about an entity: all of
 * them were removed manually.
 */
const ownedEntities = (
  scope: OwnedScope,
  {
    ids,
    matches = sql`true`,
  }: { readonly ids?: readonly string[]; readonly matches?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> => sql`(
  select e.account_id, e.id, e.space_id, own.names[1] as name, own.names, e.type,
    false as is_retained, e.merged_into, e.merged_at, own.created_at, own.updated_at,
    own.is_matched
  from (
    select entity_id, array_agg(name order by seen_at, place, name) as names,
      min(created_at) as created_at, max(updated_at) as updated_at,
      bool_or(is_matched) as is_matched
    from (
      select m.entity_id, n.name, min(m.observed_at) as seen_at, min(n.place) as place,
        min(m.recorded_at) as created_at, max(m.recorded_at) as updated_at,
        bool_or(${matches}) as is_matched
      from mentions m
      join ${ownedMemories(scope)} as v on v.id = m.memory_id
      cross join lateral unnest(m.names) with ordinality as n (name, place)
      where m.account_id = ${scope.accountId}::uuid
        ${ids === undefined ? sql`` : sql`and m.entity_id = any(${ids}::uuid[])`}
      group by m.entity_id, n.name
    ) as each_name
    group by entity_id
  ) as own
  join entities e on e.account_id = ${scope.accountId}::uuid and e.id = own.entity_id)`;

export async function findOwnedEntities(
  db: Db,
  scope: OwnedScope,
  ids: readonly string[],
): Promise<Map<string, OwnedEntity>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<OwnedEntity>`
    select * from ${ownedEntities(scope, { ids })} as e`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

const inSpaceAndOfType = ({ spaceId, type }: EntityFilter): RawBuilder<unknown> => sql`
  ${spaceId === undefined ? sql`` : sql`and e.space_id is not distinct from ${spaceId}::uuid`}
  ${type === undefined ? sql`` : sql`and e.type = ${type}`}`;

async function listPage(
  db: Db,
  entities: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { limit, offset }: PageRange,
): Promise<{ records: OwnedEntity[]; total: number }> {
  const { rows } = await sql<OwnedEntity>`
    select * from ${entities} as e where ${where}
    order by lower(e.name) collate "C", e.id limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${entities} as e where ${where}`.execute(db);
  return { records: rows, total: counted.rows[0]?.total ?? 0 };
}

/** By name; `total` counts all matches of the filter. */
export const listOwnedEntities = (
  db: Db,
  scope: OwnedScope,
  filter: EntityFilter,
  page: PageRange,
): Promise<{ records: OwnedEntity[]; total: number }> => {
  const { nameContains: part } = filter;
  const isNamed = sql`and exists (
    select from unnest(e.names) as name where position(${part ?? ''} in lower(name)) > 0)`;
  const where = sql`e.merged_into is null ${inSpaceAndOfType(filter)}
    ${part === undefined ? sql`` : isNamed}`;
  return listPage(db, ownedEntities(scope), where, page);
};

/** Counts the entities of a category that the scope's memories mention in a time range. */
export async function countOwnedByCategory(
  db: Db,
  scope: OwnedScope,
  filter: EntityCategory & {
    readonly spaceId: string | null | undefined;
    readonly from: Date | undefined;
    readonly to: Date | undefined;
  },
): Promise<number> {
  const { type, words, spaceId, from, to } = filter;
  const matches = sql`true
    ${from === undefined ? sql`` : sql`and m.observed_at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and m.observed_at < ${to}::timestamptz`}`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${ownedEntities(scope, { matches })} as e
    where e.is_matched and e.merged_into is null
      ${inSpaceAndOfType({ spaceId, type: type ?? undefined })}
      and not exists (
        select from unnest(${words}::text[]) as word
        where position(word in lower(e.name)) = 0)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Entities that a memory of that time or earlier mentions, or states something of that time. */
export const ownedEntitiesAt = (
  db: Db,
  scope: OwnedScope,
  filter: {
    readonly asOf: Date;
    readonly knownAt: Date;
    readonly spaceId: string | null | undefined;
    readonly type: string | undefined;
  },
  page: PageRange,
): Promise<{ records: OwnedEntity[]; total: number }> => {
  const { asOf, knownAt } = filter;
  const matches = sql`m.observed_at <= ${asOf}::timestamptz
    and m.recorded_at <= ${knownAt}::timestamptz`;
  const where = sql`(e.merged_at is null or e.merged_at > ${knownAt}::timestamptz)
    ${inSpaceAndOfType(filter)}
    and (e.is_matched or e.id in (
      select unnest(array[a.subject_id, a.object_id]) from assertions a
      join ${ownedMemories(scope)} as v on v.id = a.memory_id
      where a.account_id = ${scope.accountId}::uuid
        and a.recorded_at <= ${knownAt}::timestamptz
        and (a.retracted_at is null or a.retracted_at > ${knownAt}::timestamptz)
        and a.valid_from <= ${asOf}::timestamptz
        and (a.valid_to is null or a.valid_to > ${asOf}::timestamptz)))`;
  return listPage(db, ownedEntities(scope, { matches }), where, page);
};
