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
