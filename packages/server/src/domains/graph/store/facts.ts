import { sql } from 'kysely';
import { accountRow, type Tx } from '../../../database/index.ts';
import type { FactRecord } from '../model.ts';
import { type FactGroup, factGroupsJson } from './assertion-log.ts';

const columns = sql.raw(`account_id, id, space_id, subject_id, predicate, object_id, object_value,
  statement, confidence, valid_from, valid_to, sources, recorded_at, invalidated_at`);

/** The facts of some groups; `all`: including retracted ones. */
export async function factsOfGroups(
  tx: Tx,
  accountId: string,
  groups: readonly FactGroup[],
  { all }: { readonly all: boolean },
): Promise<FactRecord[]> {
  const only = all ? sql`` : sql`and invalidated_at is null`;
  const { rows } = await sql<FactRecord>`
    select ${columns} from facts
    where account_id = ${accountId}::uuid and (subject_id, predicate) in (
      select s, p from json_to_recordset(${factGroupsJson(groups)}::json) as wanted (s uuid, p text)
    ) ${only}
    order by recorded_at, id`.execute(tx);
  return rows;
}

/** Inserts facts or overwrites existing ones. */
export async function upsertFacts(
  tx: Tx,
  accountId: string,
  facts: readonly FactRecord[],
): Promise<void> {
  if (facts.length === 0) return;
  await sql`
    insert into facts (account_id, id, space_id, subject_id, predicate, object_id, object_value,
      statement, confidence, valid_from, valid_to, sources, recorded_at, invalidated_at)
    select account.account_id, id, space_id, subject_id, predicate, object_id, object_value,
      statement, confidence, valid_from, valid_to, sources, recorded_at, invalidated_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(facts)}::json) as row (id uuid,
      space_id uuid, subject_id uuid, predicate text, object_id uuid, object_value text,
      statement text, confidence real, valid_from timestamptz, valid_to timestamptz,
      sources uuid[], recorded_at timestamptz, invalidated_at timestamptz)
    on conflict (account_id, id) do update set
      statement = excluded.statement, confidence = excluded.confidence,
      sources = excluded.sources, invalidated_at = excluded.invalidated_at`.execute(tx);
}

export async function deleteFacts(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from facts
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
}

/** Null: account level; undefined: there is no such fact. */
export async function spaceOfFact(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ space_id: string | null }>`
    select space_id from facts
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(tx);
  return rows[0]?.space_id;
}
