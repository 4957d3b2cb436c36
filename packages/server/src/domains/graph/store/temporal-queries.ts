import type { ResponseBody, routes } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { inSpaces } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import type { EntityCategory } from '../entity-category.ts';
import { type EntityRecord, presentFact } from '../model.ts';
import {
  listFacts,
  type PageRange,
  type Visibility,
  visibleFactsFromClause,
  visibleSpaceCondition,
} from './read.ts';

/** Entities `e`. */
const visibleEntitySpaces = (scope: Visibility): RawBuilder<unknown> =>
  visibleSpaceCondition(scope, 'e.space_id');

const spaceCondition = (spaceId: string | null | undefined): RawBuilder<unknown> =>
  spaceId === undefined ? sql`` : sql`and e.space_id is not distinct from ${spaceId}::uuid`;

/** Counts the entities of a category that are mentioned in a time range. */
export async function countEntitiesByCategory(
  db: Db,
  scope: Visibility,
  filter: EntityCategory & {
    readonly spaceId: string | null | undefined;
    readonly from: Date | undefined;
    readonly to: Date | undefined;
  },
): Promise<number> {
  const { type, words, from, to } = filter;
  const timed = from !== undefined || to !== undefined;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entities e
    where e.account_id = ${scope.accountId}::uuid and e.merged_into is null
      ${visibleEntitySpaces(scope)} ${spaceCondition(filter.spaceId)}
      ${type === null ? sql`` : sql`and e.type = ${type}`}
      and not exists (
        select from unnest(${words}::text[]) as word
        where position(word in lower(e.name)) = 0)
      and (${timed ? sql`false` : sql`e.is_retained`} or e.id in (
        select m.entity_id from mentions m
        join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
          as v on v.id = m.memory_id
        where m.account_id = ${scope.accountId}::uuid
          ${from === undefined ? sql`` : sql`and m.observed_at >= ${from}::timestamptz`}
          ${to === undefined ? sql`` : sql`and m.observed_at < ${to}::timestamptz`}
      ))`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Entities that a memory of that time or earlier mentions, or that a fact of that time is about.
 */
export async function entitiesAt(
  db: Db,
  scope: Visibility,
  filter: {
    readonly asOf: Date;
    readonly knownAt: Date;
    readonly spaceId: string | null | undefined;
    readonly type: string | undefined;
  },
  { limit, offset }: PageRange,
): Promise<{ records: EntityRecord[]; total: number }> {
  const { asOf, knownAt, type } = filter;
  const where = sql`
    e.account_id = ${scope.accountId}::uuid ${visibleEntitySpaces(scope)}
    ${spaceCondition(filter.spaceId)}
    ${type === undefined ? sql`` : sql`and e.type = ${type}`}
    and e.created_at <= ${knownAt}::timestamptz
    and (e.merged_at is null or e.merged_at > ${knownAt}::timestamptz)
    and ((e.is_retained and e.created_at <= ${asOf}::timestamptz) or e.id in (
      select m.entity_id from mentions m
      join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))}
        as v on v.id = m.memory_id
      where m.account_id = ${scope.accountId}::uuid
        and m.observed_at <= ${asOf}::timestamptz and m.recorded_at <= ${knownAt}::timestamptz
    ) or e.id in (
      select unnest(array[f.subject_id, f.object_id]) from facts f
      where f.account_id = ${scope.accountId}::uuid
        and f.recorded_at <= ${knownAt}::timestamptz
        and (f.invalidated_at is null or f.invalidated_at > ${knownAt}::timestamptz)
        and f.valid_from <= ${asOf}::timestamptz
        and (f.valid_to is null or f.valid_to > ${asOf}::timestamptz)
        and exists (
          select from assertions a
          left join ${visibleMemoriesSubquery(scope.accountId, inSpaces(scope.visible))} as v
            on v.id = a.memory_id
          where a.account_id = ${scope.accountId}::uuid and a.id = any(f.sources)
            and (a.memory_id is null or v.id is not null))
    ))`;
  const { rows } = await sql<EntityRecord>`
    select e.* from entities e where ${where}
    order by lower(e.name) collate "C", e.id limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from entities e where ${where}`.execute(db);
  return { records: rows, total: counted.rows[0]?.total ?? 0 };
}

type Entry = ResponseBody<typeof routes.knowledge.timeline>['entries'][number];

interface EntryRow {
  readonly at: Date;
  readonly kind: Entry['kind'];
  readonly fact_id: string | null;
  readonly detail: string | null;
}

/** What became known about an entity, in order; within one moment changes first, then new facts. */
export async function entityTimeline(
  db: Db,
  scope: Visibility,
  entity: EntityRecord,
  { limit, offset }: PageRange,
): Promise<{ entries: Entry[]; total: number }> {
  const { accountId } = scope;
  const ofEntity = visibleFactsFromClause(scope, { entityIds: [entity.id], knownAt: null });
  const entries = sql`
    with told as materialized (select f.id, f.recorded_at, f.invalidated_at ${ofEntity}),
    entries as (
      select 0 as place, ${entity.created_at}::timestamptz as at, 'entity_created' as kind,
        null::uuid as fact_id, ${entity.name}::text as detail, null::uuid as change_id
      union all
      select 1, at, kind, null, detail, id from entity_changes
      where account_id = ${accountId}::uuid and entity_id = ${entity.id}::uuid
      union all
      select 2, recorded_at, 'fact_added', id, null, null from told
      union all
      select 3, invalidated_at, 'fact_invalidated', id, null, null from told
      where invalidated_at is not null)`;
  const { rows } = await sql<EntryRow>`${entries}
    select at, kind, fact_id, detail from entries
    order by place > 0, at, place, fact_id, change_id
    limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`${entries}
    select count(*) as total from entries`.execute(db);
  const ids = rows.flatMap(({ fact_id: id }) => id ?? []);
  const page = { limit: ids.length, offset: 0 };
  const { facts } = await listFacts(db, scope, { ids, knownAt: null }, page);
  const byId = new Map(facts.map((fact) => [fact.id, presentFact(fact)]));
  return {
    entries: rows.flatMap(({ at, kind, fact_id: id, detail }): Entry[] => {
      const fact = byId.get(id ?? '');
      const entry = { at: at.toISOString(), kind };
      if (fact) return [{ ...entry, fact, detail: fact.statement }];
      // A fact that was erased in the meantime is omitted.
      return id === null ? [{ ...entry, detail: detail ?? '' }] : [];
    }),
    total: counted.rows[0]?.total ?? 0,
  };
}
