import { sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import type { EntityRecord } from '../model.ts';

const columns = sql.raw(`account_id, id, space_id, name, type, is_retained, merged_into, merged_at,
  created_at, updated_at`);

/** A name in its lookup form. */
export interface NameKey {
  readonly space: string;
  readonly type: string;
  readonly key: string;
}

export interface EntityName extends NameKey {
  readonly entity_id: string;
}

/** The entities of these names. */
export async function findEntityNames(
  db: Db,
  accountId: string,
  names: readonly NameKey[],
): Promise<EntityName[]> {
  if (names.length === 0) return [];
  const json = JSON.stringify(names.map(({ space: s, type: t, key: k }) => ({ s, t, k })));
  const { rows } = await sql<EntityName>`
    select n.space, n.type, n.key, n.entity_id
    from json_to_recordset(${json}::json) as wanted (s uuid, t text, k text)
    join entity_names n
      on n.account_id = ${accountId}::uuid and n.space = s and n.type = t and n.key = k`.execute(
    db,
  );
  return rows;
}

const peopleMax = 10_000;

/**
 * People of a space whose name has one of these last words and initials, with all such names. None
 * if there are too many to identify one.
 */
export async function findPeopleByInitial(
  db: Db,
  accountId: string,
  like: readonly { readonly space: string; readonly tail: string; readonly key: string }[],
): Promise<EntityName[]> {
  if (like.length === 0) return [];
  const json = JSON.stringify(like.map(({ space: s, tail: t, key: k }) => ({ s, t, k })));
  const { rows } = await sql<EntityName>`
    select n.space, n.type, n.key, n.entity_id
    from json_to_recordset(${json}::json) as wanted (s uuid, t text, k text)
    join entity_names n
      on n.account_id = ${accountId}::uuid and n.space = s and n.tail = t and n.type = 'person'
      and left(n.key, 1) = left(k, 1)
    limit ${peopleMax + 1}::int`.execute(db);
  return rows.length > peopleMax ? [] : rows;
}

export async function insertEntities(
  tx: Tx,
  accountId: string,
  records: readonly EntityRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    insert into entities (account_id, id, space_id, name, type, is_retained, created_at, updated_at)
    select account.account_id, id, space_id, name, type, is_retained, created_at, updated_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(records)}::json) as row (id uuid, space_id uuid,
      name text, type text, is_retained boolean, created_at timestamptz,
      updated_at timestamptz)`.execute(tx);
}

export interface NewEntityName extends EntityName {
  readonly tail: string;
  readonly name: string;
  readonly is_manual: boolean;
}

/** Adds names to entities; a name that another entity has already stays with it. */
export async function insertEntityNames(
  tx: Tx,
  accountId: string,
  names: readonly NewEntityName[],
): Promise<void> {
  if (names.length === 0) return;
  await sql`
    insert into entity_names (account_id, space, type, key, tail, name, entity_id, is_manual)
    select account.account_id, space, type, key, tail, name, entity_id, is_manual
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(names)}::json) as row (space uuid, type text, key text,
      tail text, name text, entity_id uuid, is_manual boolean)
    on conflict do nothing`.execute(tx);
}

export interface Mention {
  readonly memory_id: string;
  readonly entity_id: string;
  readonly confidence: number;
  /** The names that the memory uses. */
  readonly names: readonly string[];
  readonly observed_at: Date;
  readonly recorded_at: Date;
}

/**
 * Replaces the mentions of these memories. Statements about merged entities remain, for queries
 * about the time before the merge. Returns the previously mentioned entities: some may have fewer
 * mentions or names now.
 */
export async function replaceMentions(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
  mentions: readonly Mention[],
): Promise<string[]> {
  if (memoryIds.length === 0) return [];
  const kept = mentions.map(({ memory_id: m, entity_id: e }) => ({ m, e }));
  const { rows } = await sql<{ id: string }>`
    with before as (
      select m.memory_id, m.entity_id from mentions m
      join entities e on e.account_id = m.account_id and e.id = m.entity_id
      where m.account_id = ${accountId}::uuid and m.memory_id = any(${memoryIds}::uuid[])
        and e.merged_into is null
    ), gone as (
      delete from mentions m using before b
      where m.account_id = ${accountId}::uuid and m.memory_id = b.memory_id
        and m.entity_id = b.entity_id
        and (m.memory_id, m.entity_id) not in (
          select m, e from json_to_recordset(${JSON.stringify(kept)}::json) as row (m uuid, e uuid))
    )
    select distinct entity_id as id from before`.execute(tx);
  await sql`
    insert into mentions
      (account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at)
    select account.account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(mentions)}::json) as row (memory_id uuid,
        entity_id uuid, confidence real, names text[], observed_at timestamptz,
        recorded_at timestamptz)
    on conflict (account_id, memory_id, entity_id) do update set names = excluded.names,
      confidence = excluded.confidence, observed_at = excluded.observed_at`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Deletes entities that are not retained, not mentioned and without assertions, with their names
 * and with all entities merged into them: only whole families, because merged ids must resolve.
 * Returns which of these entities, or of their merge targets, are left.
 */
export async function deleteUnreferencedEntities(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with recursive up as (
      select id, merged_into from entities
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      union
      select e.id, e.merged_into from up
      join entities e on e.account_id = ${accountId}::uuid and e.id = up.merged_into
    ), family as (
      select id as root, id from up where merged_into is null
      union
      select f.root, e.id from family f
      join entities e on e.account_id = ${accountId}::uuid and e.merged_into = f.id
    ), spoken as (
      select distinct f.root from family f
      join entities e on e.account_id = ${accountId}::uuid and e.id = f.id
      where e.is_retained
        or exists (
          select from mentions m where m.account_id = ${accountId}::uuid and m.entity_id = f.id)
        or exists (
          select from assertions a where a.account_id = ${accountId}::uuid and a.subject_id = f.id)
        or exists (
          select from assertions a where a.account_id = ${accountId}::uuid and a.object_id = f.id)
    ), gone as (
      delete from entities where account_id = ${accountId}::uuid
        and id in (select id from family where root not in (select root from spoken))
    )
    select root as id from spoken`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function findEntities(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<EntityRecord[]> {
  const { rows } = await sql<EntityRecord>`
    select ${columns} from entities
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Summaries for lists of hundreds of entities. */
export async function findEntitySummaries(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Pick<EntityRecord, 'id' | 'name' | 'type' | 'created_at'>[]> {
  const { rows } = await sql<Pick<EntityRecord, 'id' | 'name' | 'type' | 'created_at'>>`
    select id, name, type, created_at from entities
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Deletes the mentions of these memories; returns their entities. */
export async function deleteMentions(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from mentions
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
    returning entity_id as id`.execute(tx);
  return [...new Set(rows.map(({ id }) => id))];
}

/** Deletes the graph of a space that is being removed. */
export async function deleteSpaceKnowledge(
  tx: Tx,
  accountId: string,
  spaceId: string,
): Promise<string[]> {
  const own = sql`account_id = ${accountId}::uuid and space_id = ${spaceId}::uuid`;
  await sql`delete from facts where ${own}`.execute(tx);
  const { rows } = await sql<{ memory_id: string | null }>`
    delete from assertions where ${own} returning memory_id`.execute(tx);
  await sql`delete from entities where ${own}`.execute(tx);
  return [...new Set(rows.flatMap(({ memory_id }) => memory_id ?? []))];
}

/** One step of erasing an account's graph; returns whether there is more. */
export async function deleteKnowledgeBatch(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  // Entities last: their names, mentions and changes are deleted with them.
  for (const table of ['facts', 'assertions', 'entities']) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where account_id = ${accountId}::uuid and id in (
        select id from ${sql.table(table)} where account_id = ${accountId}::uuid
        limit ${limit}::int)`.execute(db);
    if ((numAffectedRows ?? 0n) > 0n) return true;
  }
  await sql`delete from extraction_cursors where account_id = ${accountId}::uuid`.execute(db);
  return false;
}
