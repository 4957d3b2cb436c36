import type { EntityType } from '@mneme/contract';
import { sql } from 'kysely';
import { accountRow, type Tx } from '../../../database/index.ts';
import type { NewEntityName } from './entities.ts';

/** The names that memories use for these entities, each once, the earliest first. */
export async function mentionedNames(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ entity_id: string; names: string[] }>`
    with said as (
      select distinct on (entity_id, name) entity_id, name, observed_at, memory_id, place
      from mentions left join lateral unnest(names) with ordinality as one (name, place) on true
      where account_id = ${accountId}::uuid and entity_id = any(${ids}::uuid[])
      order by entity_id, name, observed_at, memory_id, place
    )
    select entity_id, coalesce(
      array_agg(name order by observed_at, memory_id, place) filter (where name is not null),
      '{}') as names
    from said group by entity_id`.execute(tx);
  return new Map(rows.map(({ entity_id, names }) => [entity_id, names]));
}

/**
 * Which of these entities, or of those merged into them, were asserted by texts of existing
 * memories.
 */
export async function findEntitiesAssertedByText(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ root: string }>`
    with recursive family as (
      select id as root, id from unnest(${ids}::uuid[]) as one (id)
      union
      select f.root, e.id from family f
      join entities e on e.account_id = ${accountId}::uuid and e.merged_into = f.id
    )
    select distinct root from family f
    where exists (
        select from assertions a where a.account_id = ${accountId}::uuid and a.subject_id = f.id
          and a.memory_id is not null and not a.is_manual)
      or exists (
        select from assertions a where a.account_id = ${accountId}::uuid and a.object_id = f.id
          and a.memory_id is not null and not a.is_manual)`.execute(tx);
  return new Set(rows.map(({ root }) => root));
}

export interface StoredEntityName {
  readonly entity_id: string;
  readonly type: EntityType;
  readonly name: string;
  readonly is_manual: boolean;
}

/** Returns all names of these entities, and deletes those that are not manual. */
export async function deleteExtractedNames(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<StoredEntityName[]> {
  const { rows } = await sql<StoredEntityName>`
    with gone as (
      delete from entity_names where account_id = ${accountId}::uuid
        and entity_id = any(${ids}::uuid[]) and not is_manual
    )
    select entity_id, type, name, is_manual from entity_names
    where account_id = ${accountId}::uuid and entity_id = any(${ids}::uuid[])
    order by name`.execute(tx);
  return rows;
}

/** Removes these words from everything stored about an entity and those merged into it. */
export async function redactEntityNames(
  tx: Tx,
  accountId: string,
  entityId: string,
  words: readonly string[],
  instead: string,
): Promise<void> {
  if (words.length === 0) return;
  await sql`
    with recursive family as (
      select id from entities where account_id = ${accountId}::uuid and id = ${entityId}::uuid
      union
      select e.id from family f
      join entities e on e.account_id = ${accountId}::uuid and e.merged_into = f.id
    ), renamed as (
      update entities set name = ${instead}
      where account_id = ${accountId}::uuid and id in (select id from family)
        and name = any(${words}::text[])
    )
    update entity_changes set detail = ${instead}
    where account_id = ${accountId}::uuid and entity_id in (select id from family)
      and exists (
        select from unnest(${words}::text[]) as word where position(word in detail) > 0)`.execute(
    tx,
  );
}

/** All names of an entity. */
export async function namesOfEntity(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<StoredEntityName[]> {
  const { rows } = await sql<StoredEntityName>`
    select entity_id, type, name, is_manual from entity_names
    where account_id = ${accountId}::uuid and entity_id = ${id}::uuid
    order by name`.execute(tx);
  return rows;
}

/** Adds manual names: an existing name with the same key gets this form. */
export async function upsertManualNames(
  tx: Tx,
  accountId: string,
  names: readonly NewEntityName[],
): Promise<void> {
  const byKey = new Map(names.toReversed().map((name) => [`${name.type} ${name.key}`, name]));
  await sql`
    insert into entity_names as n
      (account_id, space, type, key, tail, name, entity_id, is_manual)
    select account.account_id, space, type, key, tail, name, entity_id, is_manual
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify([...byKey.values()])}::json) as row (space uuid,
      type text, key text, tail text, name text, entity_id uuid, is_manual boolean)
    on conflict (account_id, space, type, key) do update
      set name = excluded.name, is_manual = true
      where n.entity_id = excluded.entity_id`.execute(tx);
}

/**
 * Deletes all other names of an entity, including those in mentions: a memory that used none of
 * these names uses the first one now.
 */
export async function deleteOtherNames(
  tx: Tx,
  accountId: string,
  id: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    delete from entity_names where account_id = ${accountId}::uuid
      and entity_id = ${id}::uuid and name <> all(${names}::text[])`.execute(tx);
  await sql`
    update mentions set names = case
      when names && ${names}::text[] then array(
        select said from unnest(names) as said where said = any(${names}::text[]))
      else (${names}::text[])[1:1] end
    where account_id = ${accountId}::uuid and entity_id = ${id}::uuid`.execute(tx);
}
