import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../engine/index.ts';
import type { EntityEdge, FoundEdge, Linked, Step } from '../walk.ts';
import { inSpaces, type Seen } from './read.ts';

/** Facts that link two entities and hold at a time. */
export interface Links {
  readonly db: Db;
  readonly seen: Seen;
  readonly now: Date;
  /** Only what somebody says by hand or a memory that may be seen; it costs most of the time. */
  readonly saidOnly: boolean;
}

/** Whether somebody says a fact `f` by hand, or a memory that may be seen. */
const isSaid = (seen: Seen): RawBuilder<unknown> => sql`
  exists (
    select from assertions a
    left join memories m on m.account_id = a.account_id and m.id = a.memory_id
    where a.account_id = ${seen.accountId}::uuid and a.id = any(f.sources)
      and (a.memory_id is null or (
        m.erased_at is null and m.deleted_at is null ${inSpaces(seen, 'm.space_id')})))`;

const holds = ({ seen, now, saidOnly }: Links): RawBuilder<unknown> => sql`
  f.invalidated_at is null and f.object_id is not null ${inSpaces(seen, 'f.space_id')}
  and (f.valid_from is null or f.valid_from <= ${now}::timestamptz)
  and (f.valid_to is null or f.valid_to > ${now}::timestamptz)
  ${saidOnly ? sql`and ${isSaid(seen)}` : sql``}`;

const ends = { subject_id: 'object_id', object_id: 'subject_id' } as const;

/** What links a frontier to others, in both directions: (id, near, far, weight). */
function around(links: Links, frontier: readonly string[]): RawBuilder<unknown> {
  const half = (near: keyof typeof ends): RawBuilder<unknown> => sql`
    select f.id, f.${sql.ref(near)} as near, f.${sql.ref(ends[near])} as far,
      f.confidence as weight
    from unnest(${frontier}::uuid[]) as frontier (id)
    join facts f
      on f.account_id = ${links.seen.accountId}::uuid and f.${sql.ref(near)} = frontier.id
    where ${holds(links)}`;
  return sql`(${half('subject_id')} union all ${half('object_id')})`;
}

/** Who is linked to a frontier and not taken in yet: the surest first, then by id. */
export async function nearest(
  links: Links,
  frontier: readonly string[],
  taken: readonly string[],
  countMax: number,
): Promise<Linked[]> {
  const { rows } = await sql<Linked>`
    select far as id, max(weight) as weight from ${around(links, frontier)} as link
    where not exists (select from unnest(${taken}::uuid[]) as taken (id) where taken.id = far)
    group by far order by weight desc, far limit ${countMax}::int`.execute(links.db);
  return rows;
}

/** What leads away from a frontier, by id. */
export async function steps(links: Links, frontier: readonly string[]): Promise<Step[]> {
  const { rows } = await sql<Step>`
    select id, near, far from ${around(links, frontier)} as link order by id`.execute(links.db);
  return rows;
}

const edgeColumns = sql.raw(`f.id, f.subject_id as source_id, f.object_id as target_id,
  f.predicate as relationship_type, f.confidence as weight`);

/** What links these entities with each other, by id. */
export async function among(links: Links, ids: readonly string[]): Promise<FoundEdge[]> {
  const { rows } = await sql<FoundEdge>`
    select ${edgeColumns}, ${links.saidOnly ? sql`true` : isSaid(links.seen)} as said
    from unnest(${ids}::uuid[]) as one (id)
    join facts f on f.account_id = ${links.seen.accountId}::uuid and f.object_id = one.id
      and f.subject_id = any(${ids}::uuid[])
    where ${holds(links)}
    order by f.id`.execute(links.db);
  return rows;
}

/** Relationships by their ids, in that order. */
export async function edgesById(links: Links, ids: readonly string[]): Promise<EntityEdge[]> {
  const { rows } = await sql<EntityEdge>`
    select ${edgeColumns} from facts f
    where f.account_id = ${links.seen.accountId}::uuid and f.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], f.id)`.execute(links.db);
  return rows;
}

/** Whether all of these facts are said by somebody. */
export async function allSaid({ db, seen }: Links, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from facts f
    where f.account_id = ${seen.accountId}::uuid and f.id = any(${ids}::uuid[])
      and not ${isSaid(seen)}
    limit 1`.execute(db);
  return rows.length === 0;
}
