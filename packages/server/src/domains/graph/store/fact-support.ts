import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { isUnexpired } from '../../memories/index.ts';
import { andVisible } from '../../search-index/index.ts';
import { spaceKey } from '../model.ts';
import type { AssertionRecord } from './assertion-log.ts';

/** What a visible memory, or a manual entry without one, asserts about a named subject. */
export interface SubjectAssertion extends AssertionRecord {
  /** The name of the subject that was looked up, in its comparable form. */
  readonly key: string;
  /** Of the memory. */
  readonly user_id: string | null;
}

/** More statements than one subject has; of more the newest count. */
const assertionsMax = 1_000;
/** Of so many names that start with the given one, two people at least have one. */
const longerNamesMax = 20;

export interface SubjectQuery {
  /** Forms of the name. */
  readonly keys: readonly string[];
  /** The key of a speaker, instead of a name. */
  readonly speaker: string | null;
  readonly predicates: readonly string[];
  /** The searched spaces; null: all. */
  readonly spaces: readonly (string | null)[] | null;
  readonly visible: MemoryVisibility;
  /** Also entries without a memory, which a caller who is limited to one user may not see. */
  readonly includesManual: boolean;
  readonly now: Date;
}

/**
 * Assertions about subjects with one of these names, or people whose names start with one: those
 * that are believed, and those that were retracted manually.
 */
export async function findSubjectAssertions(
  db: Db,
  accountId: string,
  query: SubjectQuery,
): Promise<SubjectAssertion[]> {
  const { keys, spaces, speaker } = query;
  if (speaker !== null) return assertionsOfSpeaker(db, accountId, speaker, query);
  // After a space comes "!": the names that go on after the given one.
  const isLonger = sql.join(
    keys.map(
      (key) =>
        sql`(key collate "C" >= ${`${key} `}::text and key collate "C" < ${`${key}!`}::text)`,
    ),
    sql` or `,
  );
  const inSpaces =
    spaces === null ? sql`true` : sql`n.space = any(${spaces.map(spaceKey)}::uuid[])`;
  const assertions = assertionsAbout(accountId, sql.ref('n.entity_id'), query);
  // In steps, each by one index and its whole key: without statistics, the planner would read the
  // assertions of the whole account.
  const { rows } = await sql<SubjectAssertion>`
    with same as materialized (
      select key, space, entity_id from entity_names
      where account_id = ${accountId}::uuid and key collate "C" = any(${keys}::text[])
    ), longer as materialized (
      select key, space, type, entity_id from entity_names
      where account_id = ${accountId}::uuid and (${isLonger})
    ), named as (
      select key, entity_id from same n where ${inSpaces}
      union all (
        select key, entity_id from longer n
        cross join lateral (select from (${assertions}) as stated limit 1) as is_stated
        where (type = 'person' or type like 'speaker %') and ${inSpaces}
        limit ${longerNamesMax}::int)
    )
    select n.key, one.* from named n
    cross join lateral (
      select * from (${assertions}) as stated
      order by recorded_at desc, id limit ${assertionsMax}::int
    ) as one
    order by one.recorded_at desc, one.id limit ${assertionsMax}::int`.execute(db);
  return rows;
}

/** Assertions about whoever a key stands for, in each of the spaces. */
async function assertionsOfSpeaker(
  db: Db,
  accountId: string,
  speaker: string,
  query: SubjectQuery,
): Promise<SubjectAssertion[]> {
  const { spaces } = query;
  const nowhere = '00000000-0000-0000-0000-000000000000';
  const inSpaces =
    spaces === null
      ? sql`true`
      : sql`coalesce(e.space_id, ${nowhere}::uuid) = any(${spaces.map(spaceKey)}::uuid[])`;
  const { rows } = await sql<SubjectAssertion>`
    with recursive way as (
      select e.id, e.merged_into from entities e
      where e.account_id = ${accountId}::uuid and e.speaker = ${speaker} and ${inSpaces}
      union
      select e.id, e.merged_into from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.merged_into
    )
    select '' as key, one.* from way w
    cross join lateral (
      select * from (${assertionsAbout(accountId, sql.ref('w.id'), query)}) as stated
      order by recorded_at desc, id limit ${assertionsMax}::int
    ) as one
    where w.merged_into is null
    order by one.recorded_at desc, one.id limit ${assertionsMax}::int`.execute(db);
  return rows;
}

function assertionsAbout(
  accountId: string,
  subjectId: RawBuilder<unknown>,
  { predicates, visible, includesManual, now }: SubjectQuery,
): RawBuilder<unknown> {
  return sql`
    select v.user_id, a.id, a.space_id, a.subject_id, a.predicate, a.object_id, a.object_value,
      a.statement, a.confidence, a.valid_from, a.valid_to, a.observed_at, a.memory_id,
      a.is_manual, a.recorded_at, a.retracted_at, a.retracted_by
    from assertions a
    left join lateral (
      select id, user_id from (
        select id, space_id, user_id, erased_at, deleted_at, expires_at from memories
        where account_id = ${accountId}::uuid and id = a.memory_id limit 1
      ) as memory
      where erased_at is null and deleted_at is null and ${isUnexpired(now)} ${andVisible(visible)}
    ) as v on true
    where a.account_id = ${accountId}::uuid and a.subject_id = ${subjectId}
      and a.predicate = any(${predicates}::text[])
      and (a.retracted_at is null or a.retracted_by = 'hand')
      and (v.id is not null ${includesManual ? sql`or a.memory_id is null` : sql``})`;
}
