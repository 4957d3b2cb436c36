import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import { spaceKey } from '../model.ts';

/** Identifies whoever says "I" in a space. */
export interface SpeakerKey {
  readonly spaceId: string | null;
  readonly speaker: string;
}

export interface SpeakerEntity {
  readonly id: string;
  readonly space: string;
  readonly speaker: string;
  readonly name: string;
}

/** The entities of these speakers, or those that they were merged into. */
export async function findSpeakers(
  tx: Tx,
  accountId: string,
  keys: readonly SpeakerKey[],
): Promise<SpeakerEntity[]> {
  if (keys.length === 0) return [];
  const json = JSON.stringify(
    keys.map(({ spaceId, speaker }) => ({ space: spaceKey(spaceId), speaker })),
  );
  const { rows } = await sql<SpeakerEntity>`
    with recursive way as (
      select w.space, w.speaker, e.id, e.merged_into, e.name
      from json_to_recordset(${json}::json) as w (space uuid, speaker text)
      join entities e on e.account_id = ${accountId}::uuid and e.speaker = w.speaker
        and coalesce(e.space_id, '00000000-0000-0000-0000-000000000000'::uuid) = w.space
      union
      select way.space, way.speaker, e.id, e.merged_into, e.name from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.merged_into
    )
    select id, space, speaker, name from way where merged_into is null`.execute(tx);
  return rows;
}

/** Makes an entity that of a speaker. */
export async function setSpeaker(
  tx: Tx,
  accountId: string,
  id: string,
  speaker: string,
): Promise<void> {
  await sql`
    update entities set speaker = ${speaker}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** Which of these entities are speakers, by id. */
export async function speakersAmong(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; speaker: string }>`
    select id, speaker from entities
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and speaker is not null`.execute(db);
  return new Map(rows.map(({ id, speaker }) => [id, speaker]));
}

/** An entity with the key of a speaker, and what it was merged into; else itself. */
interface KeyedEntity {
  readonly id: string;
  readonly root: string;
}

/** In all spaces. */
export async function entitiesOfSpeaker(
  tx: Tx,
  accountId: string,
  speaker: string,
): Promise<KeyedEntity[]> {
  const { rows } = await sql<KeyedEntity>`
    with recursive way as (
      select id as start, id, merged_into from entities
      where account_id = ${accountId}::uuid and speaker = ${speaker}
      union
      select way.start, e.id, e.merged_into from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.merged_into
    )
    select start as id, id as root from way where merged_into is null`.execute(tx);
  return rows;
}

/**
 * Which of these entities were entered by hand, or have facts that were, themselves or by what they
 * were merged with.
 */
export async function keptByHand(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with recursive way as (
      select id as start, id, merged_into from entities
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      union
      select way.start, e.id, e.merged_into from way
      join entities e on e.account_id = ${accountId}::uuid and e.id = way.merged_into
    ), family as (
      select start, id from way where merged_into is null
      union
      select f.start, e.id from family f
      join entities e on e.account_id = ${accountId}::uuid and e.merged_into = f.id
    )
    select distinct f.start as id from family f
    join entities e on e.account_id = ${accountId}::uuid and e.id = f.id
    where e.is_retained
      or exists (
        select from assertions a
        where a.account_id = ${accountId}::uuid and a.subject_id = f.id and a.is_manual)
      or exists (
        select from assertions a
        where a.account_id = ${accountId}::uuid and a.object_id = f.id and a.is_manual)
    `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Removes the key of a speaker from these entities, and their names of its type. */
export async function deleteSpeaker(
  tx: Tx,
  accountId: string,
  entities: readonly KeyedEntity[],
  nameType: string,
): Promise<void> {
  const ids = entities.flatMap(({ id, root }) => [id, root]);
  await sql`
    update entities set speaker = null
    where account_id = ${accountId}::uuid
      and id = any(${entities.map(({ id }) => id)}::uuid[])`.execute(tx);
  await sql`
    delete from entity_names
    where account_id = ${accountId}::uuid and type = ${nameType}
      and entity_id = any(${ids}::uuid[])`.execute(tx);
}

const userOfSpeaker = sql<string>`substr(speaker, length('user:') + 1)`;

/** A page of the entities of users, in the order of their ids. */
export async function userSpeakersAfter(
  tx: Tx,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    select id, ${userOfSpeaker} as user_id from entities
    where account_id = ${accountId}::uuid and starts_with(speaker, 'user:')
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}::int`.execute(tx);
  return rows;
}

/** The users whose entities these are. */
export async function usersOfSpeakers(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct ${userOfSpeaker} as user_id from entities
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and starts_with(speaker, 'user:')`.execute(tx);
  return rows.map(({ user_id: id }) => id);
}
