import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

/** An assertion that is believed, and since when it has ended. */
export interface EndedAssertion {
  readonly id: string;
  readonly memory_id: string;
  readonly ended_at: Date | null;
  readonly ended_by: readonly string[] | null;
}

/** Whose each of these memories is, as a key that is equal for equal owners. */
export async function ownerKeysOf(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('memories')
    .select(['id', 'user_id', 'agent_id', 'run_id'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${memoryIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, user_id, agent_id, run_id }) => [
      id,
      JSON.stringify([user_id, agent_id, run_id]),
    ]),
  );
}

/** Those of these memories that are not protected. */
export async function filterUnprotected(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('memories')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${memoryIds}::uuid[])`)
    .where('protection_level', '=', 'none')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What these memories state now. */
export async function believedAssertionsOf(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<EndedAssertion[]> {
  const { rows } = await sql<EndedAssertion>`
    select id, memory_id, ended_at, ended_by from assertions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
      and retracted_at is null`.execute(tx);
  return rows;
}

/** What a memory states now, with what is marked on it. */
export interface StatedFact extends EndedAssertion {
  readonly subject_id: string;
  readonly predicate: string;
  readonly object_id: string | null;
  readonly object_value: string | null;
  readonly confidence: number;
  readonly valid_to: Date | null;
}

export async function statedFactsOf(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<StatedFact[]> {
  if (memoryIds.length === 0) return [];
  const { rows } = await sql<StatedFact>`
    select id, memory_id, subject_id, predicate, object_id, object_value, confidence, valid_to,
      ended_at, ended_by
    from assertions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
      and retracted_at is null`.execute(db);
  return rows;
}

interface AssertedRow {
  readonly id: string;
  readonly statement: string;
  readonly predicate: string;
  readonly ended_at: Date | null;
}

/** Assertions by their ids, believed or not. */
export async function findAssertions(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<AssertedRow[]> {
  const { rows } = await sql<AssertedRow>`
    select id, statement, predicate, ended_at from assertions
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export async function updateAssertionEnds(
  tx: Tx,
  accountId: string,
  ends: readonly Omit<EndedAssertion, 'memory_id'>[],
): Promise<void> {
  if (ends.length === 0) return;
  const json = JSON.stringify(ends.map(({ id: i, ended_at: t, ended_by: b }) => ({ i, t, b })));
  await sql`
    update assertions set ended_at = t, ended_by = b
    from json_to_recordset(${json}::json) as row (i uuid, t timestamptz, b uuid[])
    where account_id = ${accountId}::uuid and id = i`.execute(tx);
}
