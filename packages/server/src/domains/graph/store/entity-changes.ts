import { sql } from 'kysely';
import type { Tx } from '../../../database/index.ts';
import type { EntityRecord } from '../model.ts';

/** Returns the entities, locked in the order of their ids. */
export async function lockEntities(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, EntityRecord>> {
  const { rows } = await sql<EntityRecord>`
    select account_id, id, space_id, name, type, is_retained, merged_into, merged_at, created_at,
      updated_at
    from entities where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
    order by id for update`.execute(tx);
  return new Map(rows.map((record) => [record.id, record]));
}

/** Memories that mention an entity, and memories that state its facts. */
export async function memoriesAbout(
  tx: Tx,
  accountId: string,
  entityId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select memory_id as id from mentions
    where account_id = ${accountId}::uuid and entity_id = ${entityId}::uuid
    union
    select memory_id from assertions
    where account_id = ${accountId}::uuid and retracted_at is null and memory_id is not null
      and (subject_id = ${entityId}::uuid or object_id = ${entityId}::uuid)`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function saveEntity(tx: Tx, record: EntityRecord): Promise<void> {
  await sql`
    update entities set name = ${record.name}, type = ${record.type},
      is_retained = ${record.is_retained}::boolean, merged_into = ${record.merged_into}::uuid,
      merged_at = ${record.merged_at}::timestamptz, updated_at = ${record.updated_at}::timestamptz
    where account_id = ${record.account_id}::uuid and id = ${record.id}::uuid`.execute(tx);
}

/** Marks entities as retained because of a manual statement. */
export async function retainEntities(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update entities set is_retained = true
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[]) and not is_retained`.execute(
    tx,
  );
}

/** Moves names from one entity to another and copies its mentions. */
export async function transferNamesAndMentions(
  tx: Tx,
  accountId: string,
  {
    from,
    to,
    type,
    at,
  }: { readonly from: string; readonly to: string; readonly type: string; readonly at: Date },
): Promise<void> {
  await sql`
    update entity_names set entity_id = ${to}::uuid
    where account_id = ${accountId}::uuid and entity_id = ${from}::uuid`.execute(tx);
  // Its names also resolve under the target's type.
  await sql`
    insert into entity_names (account_id, space, type, key, tail, name, entity_id, is_manual)
    select account_id, space, ${type}, key, tail, name, entity_id, is_manual from entity_names
    where account_id = ${accountId}::uuid and entity_id = ${to}::uuid and type <> ${type}
    on conflict do nothing`.execute(tx);
  await sql`
    insert into mentions as m
      (account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at)
    select account_id, memory_id, ${to}::uuid, confidence, names, observed_at, ${at}::timestamptz
    from mentions where account_id = ${accountId}::uuid and entity_id = ${from}::uuid
    on conflict (account_id, memory_id, entity_id) do update
      set names = m.names || excluded.names`.execute(tx);
}

/** Records a change of an entity, for its timeline. */
export async function insertEntityChange(
  tx: Tx,
  change: {
    readonly accountId: string;
    readonly id: string;
    readonly entityId: string;
    readonly kind: 'merged' | 'renamed';
    readonly detail: string;
    readonly at: Date;
  },
): Promise<void> {
  await sql`
    insert into entity_changes (account_id, id, entity_id, kind, detail, at)
    values (${change.accountId}::uuid, ${change.id}::uuid, ${change.entityId}::uuid,
      ${change.kind}, ${change.detail}, ${change.at}::timestamptz)`.execute(tx);
}
