import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { AssertionRecord } from './assertion-log.ts';
import { type OwnedScope, ownedMemories } from './owned-entities.ts';

/** An assertion of a memory of the scope. */
export interface OwnedAssertion extends AssertionRecord {
  readonly memory_id: string;
  readonly session_id: string | null;
}

export interface AssertionSelection {
  /** Groups about any of these entities, as subject or object. */
  readonly entityIds?: readonly string[] | undefined;
  /** Groups about which this memory states something. */
  readonly memoryId?: string | undefined;
  readonly predicate?: string | undefined;
  /** Without the assertions that were retracted. */
  readonly believedOnly: boolean;
}

/** Whole groups: facts of one subject and predicate depend on each other. By time. */
export async function ownedAssertions(
  db: Db,
  scope: OwnedScope,
  { entityIds, memoryId, predicate, believedOnly }: AssertionSelection,
): Promise<OwnedAssertion[]> {
  const isOwned = sql`exists (
    select from ${ownedMemories(scope)} as v where v.id = a.memory_id)`;
  const andBelieved = believedOnly ? sql`and a.retracted_at is null` : sql``;
  const groupsWhere = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select a.subject_id, a.predicate from assertions a
    where a.account_id = ${scope.accountId}::uuid and ${condition} and ${isOwned} ${andBelieved}
      ${predicate === undefined ? sql`` : sql`and a.predicate = ${predicate}`}`;
  const groups =
    entityIds === undefined
      ? groupsWhere(sql`a.memory_id = ${memoryId}::uuid`)
      : sql`${groupsWhere(sql`a.subject_id = any(${entityIds}::uuid[])`)}
          union ${groupsWhere(sql`a.object_id = any(${entityIds}::uuid[])`)}`;
  const { rows } = await sql<OwnedAssertion>`
    with touched as materialized (select distinct subject_id, predicate from (${groups}) as one)
    select a.id, a.space_id, a.subject_id, a.predicate, a.object_id, a.object_value, a.statement,
      a.confidence, a.valid_from, a.valid_to, a.observed_at, a.memory_id, a.is_manual,
      a.recorded_at, a.retracted_at, a.retracted_by, v.session_id
    from touched
    join assertions a on a.account_id = ${scope.accountId}::uuid
      and a.subject_id = touched.subject_id and a.predicate = touched.predicate ${andBelieved}
    join ${ownedMemories(scope)} as v on v.id = a.memory_id
    order by a.recorded_at, a.id`.execute(db);
  return rows;
}
