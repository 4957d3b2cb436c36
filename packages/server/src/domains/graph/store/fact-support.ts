import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
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

export interface SubjectQuery {
  /** Forms of the name. */
  readonly keys: readonly string[];
  readonly predicates: readonly string[];
  /** The searched spaces; null: all. */
  readonly spaces: readonly (string | null)[] | null;
  readonly visible: MemoryVisibility;
}

/**
 * Assertions about subjects with one of these names, or people whose names start with one: those
 * that are believed, and those that were retracted manually. Manual entries without a memory are
 * omitted for a caller who sees the memories of one user only.
 */
export async function findSubjectAssertions(
  db: Db,
  accountId: string,
  { keys, predicates, spaces, visible }: SubjectQuery,
): Promise<SubjectAssertion[]> {
  // After a space comes "!": the names that go on after the given one.
  const starts = sql.join(
    keys.map(
      (key) => sql`or n.type = 'person' and n.key collate "C" >= ${`${key} `}::text
      and n.key collate "C" < ${`${key}!`}::text`,
    ),
    sql` `,
  );
  const seesAll = visible.user === null;
  const inSpaces = spaces && sql`and n.space = any(${spaces.map(spaceKey)}::uuid[])`;
  const { rows } = await sql<SubjectAssertion>`
    select n.key, v.user_id, a.id, a.space_id, a.subject_id, a.predicate, a.object_id,
      a.object_value, a.statement, a.confidence, a.valid_from, a.valid_to, a.observed_at,
      a.memory_id, a.is_manual, a.recorded_at, a.retracted_at, a.retracted_by
    from entity_names n
    join assertions a on a.account_id = n.account_id and a.subject_id = n.entity_id
      and a.predicate = any(${predicates}::text[])
    left join lateral (
      select id, user_id from memories
      where account_id = ${accountId}::uuid and id = a.memory_id
        and erased_at is null and deleted_at is null ${andVisible(visible)}
      limit 1
    ) as v on true
    where n.account_id = ${accountId}::uuid ${inSpaces ?? sql``}
      and (n.key collate "C" = any(${keys}::text[]) ${starts})
      and (a.retracted_at is null or a.retracted_by = 'hand')
      and (v.id is not null ${seesAll ? sql`or a.memory_id is null` : sql``})
    order by a.recorded_at desc, a.id limit ${assertionsMax}::int`.execute(db);
  return rows;
}
