import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { EntityEdge, FoundEdge, LinkedEntity, TraversalStep } from '../walk.ts';
import { type Visibility, visibleSpaceCondition } from './read.ts';

/** Facts that link two entities and hold at a time. */
export interface LinkQuery {
  readonly db: Db;
  readonly visibility: Visibility;
  readonly now: Date;
  /** Only facts with a manual or visible source; this check is most of the cost. */
  readonly supportedOnly: boolean;
}

/**
 * Whether a fact `f` has a manual source or a visible memory. `offset 0` keeps it a lookup by index
 * for each fact: with statistics of some tables only, a join would compare all with all.
 */
export const isSupported = (visibility: Visibility): RawBuilder<unknown> => sql`
  exists (
    select from assertions a
    left join memories m on m.account_id = a.account_id and m.id = a.memory_id
    where a.account_id = ${visibility.accountId}::uuid and a.id = any(f.sources)
      and (a.memory_id is null or (
        m.erased_at is null and m.deleted_at is null
        ${visibleSpaceCondition(visibility, 'm.space_id')}))
    offset 0)`;

const isCurrentLink = ({ visibility, now, supportedOnly }: LinkQuery): RawBuilder<unknown> => sql`
  f.invalidated_at is null and f.object_id is not null
  ${visibleSpaceCondition(visibility, 'f.space_id')}
  and (f.valid_from is null or f.valid_from <= ${now}::timestamptz)
  and (f.valid_to is null or f.valid_to > ${now}::timestamptz)
  ${supportedOnly ? sql`and ${isSupported(visibility)}` : sql``}`;

const oppositeColumn = { subject_id: 'object_id', object_id: 'subject_id' } as const;

/** The links of a frontier in both directions: (id, near, far, weight). */
function adjacentLinks(links: LinkQuery, frontier: readonly string[]): RawBuilder<unknown> {
  const half = (near: keyof typeof oppositeColumn): RawBuilder<unknown> => sql`
    select f.id, f.${sql.ref(near)} as near, f.${sql.ref(oppositeColumn[near])} as far,
      f.confidence as weight
    from unnest(${frontier}::uuid[]) as frontier (id)
    join facts f
      on f.account_id = ${links.visibility.accountId}::uuid and f.${sql.ref(near)} = frontier.id
    where ${isCurrentLink(links)}`;
  return sql`(${half('subject_id')} union all ${half('object_id')})`;
}

/** Unvisited neighbours of a frontier: the most confident first, then by id. */
export async function nearestLinkedEntities(
  links: LinkQuery,
  frontier: readonly string[],
  visitedIds: readonly string[],
  countMax: number,
): Promise<LinkedEntity[]> {
  const { rows } = await sql<LinkedEntity>`
    select far as id, max(weight) as weight from ${adjacentLinks(links, frontier)} as link
    where not exists (select from unnest(${visitedIds}::uuid[]) as taken (id) where taken.id = far)
    group by far order by weight desc, far limit ${countMax}::int`.execute(links.db);
  return rows;
}

/** The edges that leave a frontier, by id. */
export async function traversalStepsFrom(
  links: LinkQuery,
  frontier: readonly string[],
): Promise<TraversalStep[]> {
  const { rows } = await sql<TraversalStep>`
    select id, near, far from ${adjacentLinks(links, frontier)} as link order by id`.execute(
    links.db,
  );
  return rows;
}

const edgeColumns = sql.raw(`f.id, f.subject_id as source_id, f.object_id as target_id,
  f.predicate as relationship_type, f.confidence as weight`);

/** The edges among these entities, by id. */
export async function edgesAmong(links: LinkQuery, ids: readonly string[]): Promise<FoundEdge[]> {
  const { rows } = await sql<FoundEdge>`
    select ${edgeColumns},
      ${links.supportedOnly ? sql`true` : isSupported(links.visibility)} as said
    from unnest(${ids}::uuid[]) as one (id)
    join facts f on f.account_id = ${links.visibility.accountId}::uuid and f.object_id = one.id
      and f.subject_id = any(${ids}::uuid[])
    where ${isCurrentLink(links)}
    order by f.id`.execute(links.db);
  return rows;
}

/** Relationships by their ids, in that order. */
export async function edgesById(links: LinkQuery, ids: readonly string[]): Promise<EntityEdge[]> {
  const { rows } = await sql<EntityEdge>`
    select ${edgeColumns} from facts f
    where f.account_id = ${links.visibility.accountId}::uuid and f.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], f.id)`.execute(links.db);
  return rows;
}

/** Whether all of these facts have a visible or manual source. */
export async function areAllFactsSupported(
  { db, visibility }: LinkQuery,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from facts f
    where f.account_id = ${visibility.accountId}::uuid and f.id = any(${ids}::uuid[])
      and not ${isSupported(visibility)}
    limit 1`.execute(db);
  return rows.length === 0;
}
