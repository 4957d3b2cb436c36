import { sql } from 'kysely';
import { accountRow, type Tx } from '../../../database/index.ts';

/** An assertion as stored in the log. */
export interface AssertionRecord {
  readonly id: string;
  readonly space_id: string | null;
  readonly subject_id: string;
  readonly predicate: string;
  readonly object_id: string | null;
  readonly object_value: string | null;
  readonly statement: string;
  readonly confidence: number;
  readonly valid_from: Date | null;
  readonly valid_to: Date | null;
  readonly observed_at: Date;
  readonly memory_id: string | null;
  /** Assertions from a memory's text are recomputed; manual ones remain. */
  readonly is_manual: boolean;
  readonly recorded_at: Date;
  readonly retracted_at: Date | null;
  readonly retracted_by: 'text' | 'hand' | 'merge' | null;
}

const columns = sql.raw(`id, space_id, subject_id, predicate, object_id, object_value, statement,
  confidence, valid_from, valid_to, observed_at, memory_id, is_manual, recorded_at,
  retracted_at, retracted_by`);

/** An assertion with what is marked on it: since when it has ended, and by which memories. */
export interface GroupAssertion extends AssertionRecord {
  readonly ended_at: Date | null;
  readonly ended_by: readonly string[] | null;
}

/** A subject and a predicate: facts of one group depend only on each other. */
export interface FactGroup {
  readonly subject_id: string;
  readonly predicate: string;
}

/** Serializes the writers of the account's graph until the transaction ends. */
export async function lockAccountGraph(tx: Tx, accountId: string): Promise<{ cursor: number }> {
  const { rows } = await sql<{ cursor: number }>`
    insert into extraction_cursors (account_id) values (${accountId}::uuid)
    on conflict (account_id) do update set account_id = excluded.account_id
    returning cursor`.execute(tx);
  return rows[0] ?? { cursor: 0 };
}

export async function insertAssertions(
  tx: Tx,
  accountId: string,
  records: readonly AssertionRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    insert into assertions (account_id, id, space_id, subject_id, predicate, object_id,
      object_value, statement, confidence, valid_from, valid_to, observed_at, memory_id, is_manual,
      recorded_at)
    select account.account_id, id, space_id, subject_id, predicate, object_id, object_value,
      statement, confidence, valid_from, valid_to, observed_at, memory_id, is_manual, recorded_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(records)}::json) as row (id uuid, space_id uuid,
      subject_id uuid, predicate text, object_id uuid, object_value text, statement text,
      confidence real, valid_from timestamptz, valid_to timestamptz, observed_at timestamptz,
      memory_id uuid, is_manual boolean, recorded_at timestamptz)`.execute(tx);
}

/** All assertions that these memories ever made, with entities resolved through all merges. */
export async function assertionsOfMemories(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<AssertionRecord[]> {
  const { rows } = await sql<AssertionRecord>`
    select ${columns} from assertions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
    order by id`.execute(tx);
  if (rows.length === 0) return [];
  const entityIds = rows.flatMap(({ subject_id, object_id }) => [
    subject_id,
    object_id ?? subject_id,
  ]);
  const targets = await resolveMergeTargets(tx, accountId, [...new Set(entityIds)]);
  return rows.map((row) => ({
    ...row,
    subject_id: targets.get(row.subject_id) ?? row.subject_id,
    object_id: row.object_id && (targets.get(row.object_id) ?? row.object_id),
  }));
}

/** The final merge target of each of these entities; unmerged ones are omitted. */
async function resolveMergeTargets(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; target: string }>`
    with recursive way as (
      select id, merged_into as target from entities
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
        and merged_into is not null
      union
      select way.id, e.merged_into from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.target
      where e.merged_into is not null
    )
    select way.id, way.target from way
    join entities e on e.account_id = ${accountId}::uuid and e.id = way.target
    where e.merged_into is null`.execute(tx);
  return new Map(rows.map(({ id, target }) => [id, target]));
}

export async function retractAssertions(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  by: 'text' | 'hand' | 'merge',
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update assertions set retracted_at = ${now}::timestamptz, retracted_by = ${by}
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and retracted_at is null`.execute(tx);
}

/** The complete log of some groups. */
export async function assertionsOfGroups(
  tx: Tx,
  accountId: string,
  groups: readonly FactGroup[],
  { liveOnly }: { readonly liveOnly: boolean },
): Promise<GroupAssertion[]> {
  const only = liveOnly ? sql`and retracted_at is null` : sql``;
  const { rows } = await sql<GroupAssertion>`
    select ${columns}, ended_at, ended_by from assertions
    where account_id = ${accountId}::uuid and (subject_id, predicate) in (
      select s, p from json_to_recordset(${factGroupsJson(groups)}::json) as wanted (s uuid, p text)
    ) ${only}
    order by recorded_at, id`.execute(tx);
  return rows;
}

/** The newest moment in the log of some groups: new entries come after it. */
export async function lastAssertionTime(
  tx: Tx,
  accountId: string,
  groups: readonly FactGroup[],
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(greatest(recorded_at, retracted_at)) as at from assertions
    where account_id = ${accountId}::uuid and (subject_id, predicate) in (
      select s, p from json_to_recordset(${factGroupsJson(groups)}::json) as wanted (s uuid, p text)
    )`.execute(tx);
  return rows[0]?.at ?? null;
}

/**
 * Erases the assertions of these memories from the log; returns the groups that depended on them.
 */
export async function eraseAssertions(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<{ groups: FactGroup[]; entityIds: string[] }> {
  const { rows } = await sql<FactGroup & { object_id: string | null }>`
    delete from assertions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
    returning subject_id, predicate, object_id`.execute(tx);
  const entityIds = rows.flatMap(({ subject_id, object_id }) => [
    subject_id,
    object_id ?? subject_id,
  ]);
  const groups = rows.map(
    ({ subject_id, predicate }) =>
      [`${subject_id} ${predicate}`, { subject_id, predicate }] as const,
  );
  return { groups: [...new Map(groups).values()], entityIds: [...new Set(entityIds)] };
}

export const factGroupsJson = (groups: readonly FactGroup[]): string =>
  JSON.stringify(groups.map(({ subject_id, predicate }) => ({ s: subject_id, p: predicate })));

/** Current assertions about an entity, as subject or object. */
export async function assertionsAboutEntity(
  tx: Tx,
  accountId: string,
  entityId: string,
): Promise<AssertionRecord[]> {
  const { rows } = await sql<AssertionRecord>`
    select ${columns} from assertions
    where account_id = ${accountId}::uuid and retracted_at is null
      and (subject_id = ${entityId}::uuid or object_id = ${entityId}::uuid)
    order by id`.execute(tx);
  return rows;
}

/** The assertions of a fact that are still believed. */
export async function findLiveAssertions(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<AssertionRecord[]> {
  const { rows } = await sql<AssertionRecord>`
    select ${columns} from assertions
    where account_id = ${accountId}::uuid and retracted_at is null and id = any(${ids}::uuid[])
    order by id`.execute(tx);
  return rows;
}
