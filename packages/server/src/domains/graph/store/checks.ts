import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { FactGroup } from './assertion-log.ts';

/** Subjects and predicates with assertions or facts, in the order of both. */
export async function factGroupsAfter(
  db: Db,
  accountId: string,
  after: FactGroup | null,
  limit: number,
): Promise<FactGroup[]> {
  const from = after?.subject_id ?? null;
  const beyond = sql`account_id = ${accountId}::uuid and (${from}::uuid is null
    or (subject_id, predicate) > (${from}::uuid, ${after?.predicate ?? ''}))`;
  const { rows } = await sql<FactGroup>`
    select subject_id, predicate from assertions where ${beyond}
    union
    select subject_id, predicate from facts where ${beyond}
    order by subject_id, predicate limit ${limit}::int`.execute(db);
  return rows;
}

/** All groups with assertions or facts of these subjects, for a rebuild. */
export async function factGroupsOfSubjects(
  db: Db,
  accountId: string,
  subjectIds: readonly string[],
): Promise<FactGroup[]> {
  const own = sql`account_id = ${accountId}::uuid and subject_id = any(${subjectIds}::uuid[])`;
  const { rows } = await sql<FactGroup>`
    select subject_id, predicate from assertions where ${own}
    union
    select subject_id, predicate from facts where ${own}`.execute(db);
  return rows;
}

/** Which of these ids are entities. */
export async function existingEntities(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from entities
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
