import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { EntityRecord } from '../model.ts';

const columns = sql.raw(`account_id, id, space_id, name, type, is_kept, merged_into, merged_at,
  created_at, updated_at`);

/** A name as it is looked for. */
export interface NameKey {
  readonly space: string;
  readonly type: string;
  readonly key: string;
}

export interface EntityName extends NameKey {
  readonly entity_id: string;
}

/** Which of these names belong to an entity. */
export async function findNames(
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
 * People of a space whose name ends like one of these and begins with its letter, with all such
 * names. None where they are too many to tell who is meant.
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

export async function insertEntities(tx: Tx, records: readonly EntityRecord[]): Promise<void> {
  if (records.length === 0) return;
  await sql`
    insert into entities (account_id, id, space_id, name, type, is_kept, created_at, updated_at)
    select account_id, id, space_id, name, type, is_kept, created_at, updated_at
    from json_to_recordset(${JSON.stringify(records)}::json) as row (account_id uuid, id uuid,
      space_id uuid, name text, type text, is_kept boolean, created_at timestamptz,
      updated_at timestamptz)`.execute(tx);
}

export interface NewEntityName extends EntityName {
  readonly tail: string;
  readonly name: string;
  readonly by_hand: boolean;
}

/** Gives names to entities; one that another entity has already stays where it is. */
export async function insertNames(
  tx: Tx,
  accountId: string,
  names: readonly NewEntityName[],
): Promise<void> {
  if (names.length === 0) return;
  await sql`
    insert into entity_names (account_id, space, type, key, tail, name, entity_id, by_hand)
    select ${accountId}::uuid, space, type, key, tail, name, entity_id, by_hand
    from json_to_recordset(${JSON.stringify(names)}::json) as row (space uuid, type text, key text,
      tail text, name text, entity_id uuid, by_hand boolean)
    on conflict do nothing`.execute(tx);
}

export interface Mention {
  readonly memory_id: string;
  readonly entity_id: string;
  readonly confidence: number;
  /** What the memory calls it. */
  readonly names: readonly string[];
  readonly observed_at: Date;
  readonly recorded_at: Date;
}

/**
 * Writes which entities these memories speak of, in place of what was written before; what they
 * said of entities that were merged stays for questions about the time before. Returns entities
 * that they spoke of before: some may be spoken of no longer, or under fewer names.
 */
export async function replaceMentions(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
  mentions: readonly Mention[],
): Promise<string[]> {
  if (memoryIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with given as (
      select memory_id, entity_id, confidence, names, observed_at, recorded_at
      from json_to_recordset(${JSON.stringify(mentions)}::json) as row (memory_id uuid,
        entity_id uuid, confidence real, names text[], observed_at timestamptz,
        recorded_at timestamptz)
    ), before as (
      select m.memory_id, m.entity_id from mentions m
      join entities e on e.account_id = m.account_id and e.id = m.entity_id
      where m.account_id = ${accountId}::uuid and m.memory_id = any(${memoryIds}::uuid[])
        and e.merged_into is null
    ), gone as (
      delete from mentions m using before b
      where m.account_id = ${accountId}::uuid and m.memory_id = b.memory_id
        and m.entity_id = b.entity_id
        and (m.memory_id, m.entity_id) not in (select memory_id, entity_id from given)
    ), put as (
      insert into mentions
        (account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at)
      select ${accountId}::uuid, memory_id, entity_id, confidence, names, observed_at, recorded_at
      from given
      on conflict (account_id, memory_id, entity_id) do update set names = excluded.names,
        confidence = excluded.confidence, observed_at = excluded.observed_at
    )
    select distinct entity_id as id from before`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Entities that nobody keeps, no memory speaks of, and no assertion is about, go with their names
 * and with all that was merged into them: whole families, since the ids of those go on to resolve.
 * Returns which entities of these, or that these were merged into, are left.
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
      where e.is_kept
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

/** As they are listed: hundreds at a time. */
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

/** Takes away what these memories mention; returns the entities. */
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

/** Everything of a space that nothing can be said in any more. */
export async function deleteSpaceKnowledge(
  tx: Tx,
  accountId: string,
  spaceId: string,
): Promise<void> {
  for (const table of ['facts', 'assertions', 'entities']) {
    await sql`
      delete from ${sql.table(table)}
      where account_id = ${accountId}::uuid and space_id = ${spaceId}::uuid`.execute(tx);
  }
}

/** One step of erasing an account's knowledge; whether there is more. */
export async function deleteKnowledgeBatch(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  // Entities last: their names, mentions and changes go with them.
  for (const table of ['facts', 'assertions', 'entities']) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where account_id = ${accountId}::uuid and id in (
        select id from ${sql.table(table)} where account_id = ${accountId}::uuid
        limit ${limit}::int)`.execute(db);
    if ((numAffectedRows ?? 0n) > 0n) return true;
  }
  await sql`delete from knowledge where account_id = ${accountId}::uuid`.execute(db);
  return false;
}
