import type { Answer, routes } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../engine/index.ts';
import { visibleMemories } from '../../memories/index.ts';
import type { Category } from '../category.ts';
import { type EntityRecord, presentFact } from '../model.ts';
import { type Cut, listFacts, type Seen } from './read.ts';

const inSpaces = ({ visible }: Seen): RawBuilder<unknown> =>
  visible === null
    ? sql``
    : sql`and coalesce(e.space_id::text, 'default') = any(${visible}::text[])`;

const ofSpace = (spaceId: string | null | undefined): RawBuilder<unknown> =>
  spaceId === undefined ? sql`` : sql`and e.space_id is not distinct from ${spaceId}::uuid`;

/** How many entities there are of a category, mentioned in a stretch of time. */
export async function countNamed(
  db: Db,
  seen: Seen,
  filter: Category & {
    readonly spaceId: string | null | undefined;
    readonly from: Date | undefined;
    readonly to: Date | undefined;
  },
): Promise<number> {
  const { type, words, from, to } = filter;
  const timed = from !== undefined || to !== undefined;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entities e
    where e.account_id = ${seen.accountId}::uuid and e.merged_into is null ${inSpaces(seen)}
      ${ofSpace(filter.spaceId)}
      ${type === null ? sql`` : sql`and e.type = ${type}`}
      and not exists (
        select from unnest(${words}::text[]) as word
        where position(word in lower(e.name)) = 0)
      and (${timed ? sql`false` : sql`e.is_kept`} or e.id in (
        select m.entity_id from mentions m
        join ${visibleMemories(seen.accountId, seen.visible)} as v on v.id = m.memory_id
        where m.account_id = ${seen.accountId}::uuid
          ${from === undefined ? sql`` : sql`and m.observed_at >= ${from}::timestamptz`}
          ${to === undefined ? sql`` : sql`and m.observed_at < ${to}::timestamptz`}
      ))`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Entities that a memory of then or before speaks of, or that a fact which held then is about. */
export async function entitiesAt(
  db: Db,
  seen: Seen,
  filter: {
    readonly asOf: Date;
    readonly knownAt: Date;
    readonly spaceId: string | null | undefined;
    readonly type: string | undefined;
  },
  { limit, offset }: Cut,
): Promise<{ records: EntityRecord[]; total: number }> {
  const { asOf, knownAt, type } = filter;
  const where = sql`
    e.account_id = ${seen.accountId}::uuid ${inSpaces(seen)} ${ofSpace(filter.spaceId)}
    ${type === undefined ? sql`` : sql`and e.type = ${type}`}
    and e.created_at <= ${knownAt}::timestamptz
    and (e.merged_at is null or e.merged_at > ${knownAt}::timestamptz)
    and ((e.is_kept and e.created_at <= ${asOf}::timestamptz) or e.id in (
      select m.entity_id from mentions m
      join ${visibleMemories(seen.accountId, seen.visible)} as v on v.id = m.memory_id
      where m.account_id = ${seen.accountId}::uuid
        and m.observed_at <= ${asOf}::timestamptz and m.recorded_at <= ${knownAt}::timestamptz
    ) or e.id in (
      select unnest(array[f.subject_id, f.object_id]) from facts f
      where f.account_id = ${seen.accountId}::uuid
        and f.recorded_at <= ${knownAt}::timestamptz
        and (f.invalidated_at is null or f.invalidated_at > ${knownAt}::timestamptz)
        and f.valid_from <= ${asOf}::timestamptz
        and (f.valid_to is null or f.valid_to > ${asOf}::timestamptz)
        and exists (
          select from assertions a
          left join ${visibleMemories(seen.accountId, seen.visible)} as v on v.id = a.memory_id
          where a.account_id = ${seen.accountId}::uuid and a.id = any(f.sources)
            and (a.memory_id is null or v.id is not null))
    ))`;
  const { rows } = await sql<EntityRecord>`
    select e.* from entities e where ${where}
    order by lower(e.name) collate "C", e.id limit ${limit}::int offset ${offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from entities e where ${where}`.execute(db);
  return { records: rows, total: counted.rows[0]?.total ?? 0 };
}

type Entry = Answer<typeof routes.knowledge.timeline>['entries'][number];

const entriesMax = 10_000;

/** What became known of an entity, in order. */
export async function entityTimeline(
  db: Db,
  seen: Seen,
  entity: EntityRecord,
  { limit, offset }: Cut,
): Promise<{ entries: Entry[]; total: number }> {
  const { facts } = await listFacts(
    db,
    seen,
    { entityIds: [entity.id], knownAt: null },
    { limit: entriesMax, offset: 0 },
  );
  const { rows: changes } = await sql<{ kind: 'merged' | 'renamed'; detail: string; at: Date }>`
    select kind, detail, at from entity_changes
    where account_id = ${seen.accountId}::uuid and entity_id = ${entity.id}::uuid
    order by at, id`.execute(db);
  const created: Entry = {
    at: entity.created_at.toISOString(),
    kind: 'entity_created',
    detail: entity.name,
  };
  const later: Entry[] = [
    ...changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })),
    ...facts.map((fact): Entry => {
      const shown = presentFact(fact);
      return { at: shown.recorded_at, kind: 'fact_added', fact: shown, detail: shown.statement };
    }),
    ...facts.flatMap((fact): Entry[] => {
      const shown = presentFact(fact);
      if (shown.invalidated_at === null) return [];
      const detail = shown.statement;
      return [{ at: shown.invalidated_at, kind: 'fact_invalidated', fact: shown, detail }];
    }),
  ];
  later.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const entries = [created, ...later];
  return { entries: entries.slice(offset, offset + limit), total: entries.length };
}
