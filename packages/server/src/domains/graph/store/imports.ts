import { sql } from 'kysely';
import { accountRow, type Tx } from '../../../database/index.ts';
import type { EntityRecord } from '../model.ts';
import type { AssertionRecord } from './assertion-log.ts';
import type { Mention } from './entities.ts';

/** Rows of an import, written as they were exported; rows that exist stay. */

export interface ImportedEntityRow extends EntityRecord {
  readonly speaker: string | null;
}

export async function insertImportedEntities(
  tx: Tx,
  accountId: string,
  rows: readonly ImportedEntityRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into entities (account_id, id, space_id, name, type, is_retained, speaker, merged_into,
      merged_at, created_at, updated_at)
    select account.account_id, id, space_id, name, type, is_retained, speaker, merged_into,
      merged_at, created_at, updated_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (id uuid, space_id uuid,
      name text, type text, is_retained boolean, speaker text, merged_into uuid,
      merged_at timestamptz, created_at timestamptz, updated_at timestamptz)`.execute(tx);
}

export interface ImportedChangeRow {
  readonly id: string;
  readonly entity_id: string;
  readonly kind: string;
  readonly detail: string;
  readonly at: Date;
}

export async function insertImportedChanges(
  tx: Tx,
  accountId: string,
  rows: readonly ImportedChangeRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into entity_changes (account_id, id, entity_id, kind, detail, at)
    select account.account_id, id, entity_id, kind, detail, at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (id uuid, entity_id uuid,
      kind text, detail text, at timestamptz)
    on conflict do nothing`.execute(tx);
}

/** Returns the pairs `memory entity` that were inserted. */
export async function insertImportedMentions(
  tx: Tx,
  accountId: string,
  rows: readonly Mention[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const { rows: inserted } = await sql<{ key: string }>`
    insert into mentions (account_id, memory_id, entity_id, confidence, names, observed_at,
      recorded_at)
    select account.account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (memory_id uuid, entity_id uuid,
      confidence real, names text[], observed_at timestamptz, recorded_at timestamptz)
    on conflict do nothing
    returning memory_id || ' ' || entity_id as key`.execute(tx);
  return new Set(inserted.map(({ key }) => key));
}

/** Which of these pairs exist, as `memory entity`. */
export async function findMentionKeys(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select memory_id || ' ' || entity_id as key from mentions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])`.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

export async function insertImportedAssertions(
  tx: Tx,
  accountId: string,
  rows: readonly AssertionRecord[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into assertions (account_id, id, space_id, subject_id, predicate, object_id,
      object_value, statement, confidence, valid_from, valid_to, observed_at, memory_id, is_manual,
      recorded_at, retracted_at, retracted_by)
    select account.account_id, id, space_id, subject_id, predicate, object_id, object_value,
      statement, confidence, valid_from, valid_to, observed_at, memory_id, is_manual, recorded_at,
      retracted_at, retracted_by
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (id uuid, space_id uuid,
      subject_id uuid, predicate text, object_id uuid, object_value text, statement text,
      confidence real, valid_from timestamptz, valid_to timestamptz, observed_at timestamptz,
      memory_id uuid, is_manual boolean, recorded_at timestamptz, retracted_at timestamptz,
      retracted_by text)`.execute(tx);
}

/** The assertions with these ids, and when they were retracted. */
export async function findAssertionStates(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Date | null>> {
  const { rows } = await sql<{ id: string; retracted_at: Date | null }>`
    select id, retracted_at from assertions
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, retracted_at }) => [id, retracted_at]));
}
