import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { GraphEdge } from '../neighbourhood.ts';
import { isSupported } from './links.ts';
import { type Visibility, visibleSpaceCondition } from './read.ts';

/** Which edges of a node are read; times and types that are undefined do not restrict. */
export interface EdgeFilter {
  readonly now: Date;
  readonly asOf: Date | undefined;
  readonly knownAt: Date | undefined;
  /** Types of the entities at the other end. */
  readonly entityTypes: readonly string[] | undefined;
  readonly predicates: readonly string[] | undefined;
  /** Of each node, kind and direction. */
  readonly countMax: number;
}

/** Whose mentions are read. */
export interface MentionScope {
  readonly visibility: Visibility;
  /** A relation with the column `id`: the memories whose mentions count. */
  readonly memories: RawBuilder<unknown>;
}

export interface MentionRow {
  readonly memory_id: string;
  readonly entity_id: string;
  readonly weight: number;
}

const wasMentioned = ({ asOf, knownAt }: EdgeFilter): RawBuilder<unknown> => sql`
  ${asOf === undefined ? sql`` : sql`and m.observed_at <= ${asOf}::timestamptz`}
  ${knownAt === undefined ? sql`` : sql`and m.recorded_at <= ${knownAt}::timestamptz`}`;

const isOfType = (types: readonly string[] | undefined): RawBuilder<unknown> =>
  types === undefined ? sql`` : sql`and e.type = any(${types}::text[])`;

/** The entities that each of these memories mentions: the surest, then the smallest ids. */
export async function mentionsInMemories(
  db: Db,
  { visibility, memories }: MentionScope,
  memoryIds: readonly string[],
  filter: EdgeFilter,
): Promise<MentionRow[]> {
  const { rows } = await sql<MentionRow>`
    select mention.* from unnest(${memoryIds}::uuid[]) as frontier (id)
    cross join lateral (
      select from ${memories} as v where v.id = frontier.id offset 0
    ) as active
    cross join lateral (
      select m.memory_id, m.entity_id, m.confidence as weight from mentions m
      join entities e on e.account_id = m.account_id and e.id = m.entity_id
      where m.account_id = ${visibility.accountId}::uuid and m.memory_id = frontier.id
        ${visibleSpaceCondition(visibility, 'e.space_id')} ${isOfType(filter.entityTypes)}
        ${wasMentioned(filter)}
      order by m.confidence desc, m.entity_id limit ${filter.countMax}::int
    ) as mention`.execute(db);
  return rows;
}

/** The memories that mention each of these entities: the surest, then the newest. */
export async function mentionsOfEntities(
  db: Db,
  { visibility, memories }: MentionScope,
  entityIds: readonly string[],
  filter: EdgeFilter,
): Promise<MentionRow[]> {
  const { rows } = await sql<MentionRow>`
    select mention.* from unnest(${entityIds}::uuid[]) as frontier (id)
    cross join lateral (
      select m.memory_id, m.entity_id, m.confidence as weight from mentions m
      cross join lateral (
        select from ${memories} as v where v.id = m.memory_id offset 0
      ) as active
      where m.account_id = ${visibility.accountId}::uuid and m.entity_id = frontier.id
        ${wasMentioned(filter)}
      order by m.confidence desc, m.observed_at desc, m.memory_id
      limit ${filter.countMax}::int
    ) as mention`.execute(db);
  return rows;
}

interface FactRow {
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly type: string;
  readonly weight: number;
  readonly valid_from: Date | null;
  readonly valid_to: Date | null;
}

/** Facts that link these entities to others, in both directions: the surest, then by id. */
export async function factsOfEntities(
  db: Db,
  visibility: Visibility,
  entityIds: readonly string[],
  filter: EdgeFilter,
): Promise<GraphEdge[]> {
  const { now, asOf = now, knownAt = now, predicates, entityTypes } = filter;
  const isType = sql`and exists (
    select from entities e where e.account_id = f.account_id and e.id = `;
  const side = (near: string, far: string): RawBuilder<unknown> => sql`(
    select f.id, f.subject_id as source_id, f.object_id as target_id, f.predicate as type,
      f.confidence as weight, f.valid_from, f.valid_to
    from facts f
    where f.account_id = ${visibility.accountId}::uuid and ${sql.ref(near)} = frontier.id
      and f.object_id is not null ${visibleSpaceCondition(visibility, 'f.space_id')}
      ${predicates === undefined ? sql`` : sql`and f.predicate = any(${predicates}::text[])`}
      ${
        entityTypes === undefined ? sql`` : sql`${isType} ${sql.ref(far)} ${isOfType(entityTypes)})`
      }
      and (f.valid_from is null or f.valid_from <= ${asOf}::timestamptz)
      and (f.valid_to is null or f.valid_to > ${asOf}::timestamptz)
      and f.recorded_at <= ${knownAt}::timestamptz
      and (f.invalidated_at is null or f.invalidated_at > ${knownAt}::timestamptz)
      and ${isSupported(visibility)}
    order by f.confidence desc, f.id limit ${filter.countMax}::int)`;
  const { rows } = await sql<FactRow>`
    select fact.* from unnest(${entityIds}::uuid[]) as frontier (id)
    cross join lateral (
      ${side('f.subject_id', 'f.object_id')} union all ${side('f.object_id', 'f.subject_id')}
    ) as fact`.execute(db);
  return rows.map((row) => ({
    kind: 'fact',
    id: row.id,
    source: { id: row.source_id, isMemory: false },
    target: { id: row.target_id, isMemory: false },
    type: row.type,
    weight: row.weight,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  }));
}
