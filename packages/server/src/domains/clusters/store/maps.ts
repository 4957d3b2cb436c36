import { limits, type OwnerFilter } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { isUnexpired } from '../../memories/index.ts';
import { andVisible } from '../../search-index/index.ts';
import { andOwnedBy } from './owned.ts';

/** The map of a scope. */
export interface MapRecord {
  readonly account_id: string;
  readonly id: string;
  /** Null: account-wide. */
  readonly space_id: string | null;
  readonly run_id: string;
  readonly created_at: Date;
}

const columns = ['account_id', 'id', 'space_id', 'run_id', 'created_at'] as const;

const ofAccount = (db: Db, accountId: string) =>
  db.selectFrom('cluster_maps').select(columns).where('account_id', '=', accountId);

/** The current map of a scope. */
export const findMap = (
  db: Db,
  accountId: string,
  spaceId: string | null,
): Promise<MapRecord | undefined> =>
  ofAccount(db, accountId)
    .where('is_current', '=', true)
    .where(sql<boolean>`space_id is not distinct from ${spaceId}::uuid`)
    .executeTakeFirst();

/** Undefined: a later run has replaced it. */
export const findMapById = (
  db: Db,
  accountId: string,
  id: string,
): Promise<MapRecord | undefined> =>
  ofAccount(db, accountId).where('is_current', '=', true).where('id', '=', id).executeTakeFirst();

/** Nobody sees the map until it is published. */
export async function insertStagedMap(tx: Tx, map: MapRecord): Promise<void> {
  await tx
    .insertInto('cluster_maps')
    .values({ ...map, is_current: false })
    .execute();
}

/** Makes the staged map of a run the current one of its scope; returns the former ones. */
export async function publishStagedMap(
  tx: Tx,
  accountId: string,
  runId: string,
  spaceId: string | null,
): Promise<string[]> {
  const former = await tx
    .deleteFrom('cluster_maps')
    .where('account_id', '=', accountId)
    .where('is_current', '=', true)
    .where(sql<boolean>`space_id is not distinct from ${spaceId}::uuid`)
    .returning('id')
    .execute();
  await tx
    .updateTable('cluster_maps')
    .set({ is_current: true })
    .where('account_id', '=', accountId)
    .where('run_id', '=', runId)
    .execute();
  return former.map(({ id }) => id);
}

/** Returns the ids of the deleted maps. */
export async function deleteStagedMaps(
  tx: Tx,
  accountId: string,
  runId: string,
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('cluster_maps')
    .where('account_id', '=', accountId)
    .where('run_id', '=', runId)
    .where('is_current', '=', false)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** All of a space, or of the account. Returns their ids. */
export async function deleteMaps(
  tx: Db,
  accountId: string,
  { spaceId }: { readonly spaceId?: string } = {},
): Promise<string[]> {
  let query = tx.deleteFrom('cluster_maps').where('account_id', '=', accountId);
  if (spaceId !== undefined) query = query.where('space_id', '=', spaceId);
  const rows = await query.returning('id').execute();
  return rows.map(({ id }) => id);
}

/** A memory on a map; without coordinates if it has no vector. */
export interface MapPlace {
  readonly memoryId: string;
  readonly x: number | null;
  readonly y: number | null;
}

/** Memories that were erased in the meantime are left out; existing places stay. */
export async function insertPlaces(
  tx: Tx,
  accountId: string,
  mapId: string,
  places: readonly MapPlace[],
): Promise<void> {
  const json = JSON.stringify(places.map(({ memoryId, x, y }) => ({ m: memoryId, x, y })));
  await sql`
    insert into cluster_map_points (account_id, memory_id, map_id, x, y)
    select account.account_id, m, ${mapId}::uuid, x, y
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (m uuid, x real, y real)
    join lateral (
      select from memories where account_id = ${accountId}::uuid and id = m and erased_at is null
      for key share
    ) as existing on true
    on conflict do nothing`.execute(tx);
}

/** The memories get a new place when somebody reads the map. */
export async function deletePlacesOfMemories(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<void> {
  await sql`
    delete from cluster_map_points
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])`.execute(tx);
}

/** Deletes some points of maps that do not exist any more; returns how many. */
export async function deleteMapPointBatch(
  db: Db,
  accountId: string,
  mapIds: readonly string[],
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cluster_map_points
    where account_id = ${accountId}::uuid and (memory_id, map_id) in (
      select memory_id, map_id from cluster_map_points p
      where account_id = ${accountId}::uuid and map_id = any(${mapIds}::uuid[])
        and not exists (
          select from cluster_maps m where m.account_id = ${accountId}::uuid and m.id = p.map_id)
      limit ${limit}::int)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Which memories of the scope of a map a caller sees. */
export interface MapView {
  readonly visible: MemoryVisibility;
  readonly owner: OwnerFilter;
  readonly now: Date;
}

const memoriesOfMap = (
  { account_id, space_id }: MapRecord,
  { visible, owner, now }: MapView,
): RawBuilder<unknown> => sql`
  select id from memories
  where account_id = ${account_id}::uuid and erased_at is null and deleted_at is null
    ${space_id === null ? sql`` : sql`and space_id = ${space_id}::uuid`}
    and ${isUnexpired(now)} ${andVisible(visible)} ${andOwnedBy(owner)}`;

/** Bytes of a point: id, x and y, in network byte order. */
export const pointBytes = 24;

interface MapPoints {
  /** The points of the newest memories, in the order of their ids. */
  readonly points: Uint8Array;
  /** All points that the caller sees. */
  readonly total: number;
  /** Memories that the caller sees and that have no place yet. */
  readonly unplaced: number;
}

/** One row, because a map has many points. */
export async function readPoints(db: Db, map: MapRecord, view: MapView): Promise<MapPoints> {
  const { rows } = await sql<{ points: Uint8Array | null; total: number; unplaced: number }>`
    with seen as materialized (
      select v.id, p.memory_id, p.x, p.y from (${memoriesOfMap(map, view)}) as v
      left join cluster_map_points p on p.account_id = ${map.account_id}::uuid
        and p.memory_id = v.id and p.map_id = ${map.id}::uuid
    )
    select
      (select count(x) from seen)::int as total,
      (select count(*) from seen where memory_id is null)::int as unplaced,
      (select string_agg(uuid_send(id) || float4send(x) || float4send(y), ''::bytea order by id)
        from (
          select id, x, y from seen where x is not null
          order by id desc limit ${limits.mapPointsMax}::int
        ) as newest) as points`.execute(db);
  const { points, total, unplaced } = rows[0] ?? { points: null, total: 0, unplaced: 0 };
  return { points: points ?? new Uint8Array(), total, unplaced };
}

/** Memories of the scope without a place, in the order of their ids. */
export async function listUnplacedAfter(
  db: Db,
  map: MapRecord,
  view: MapView,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id from (${memoriesOfMap(map, view)}) as v
    where v.id > ${after}::uuid and not exists (
      select from cluster_map_points p where p.account_id = ${map.account_id}::uuid
        and p.memory_id = v.id and p.map_id = ${map.id}::uuid)
    order by v.id limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/** Where some memories are; those without a place or coordinates are left out. */
export async function findPlaces(
  db: Db,
  { account_id, id }: MapRecord,
  memoryIds: readonly string[],
): Promise<Map<string, { readonly x: number; readonly y: number }>> {
  const { rows } = await sql<{ memory_id: string; x: number; y: number }>`
    select memory_id, x, y from cluster_map_points
    where account_id = ${account_id}::uuid and memory_id = any(${memoryIds}::uuid[])
      and map_id = ${id}::uuid and x is not null`.execute(db);
  return new Map(rows.map(({ memory_id, x, y }) => [memory_id, { x, y }]));
}

/** Bytes of a membership: the id of the memory, and the index of the cluster in two bytes. */
export const membershipBytes = 18;

/** The members of some sets, each with the index of its set. One row, as above. */
export async function readMemberships(
  db: Db,
  accountId: string,
  setIds: readonly string[],
): Promise<Uint8Array> {
  if (setIds.length === 0) return new Uint8Array();
  const { rows } = await sql<{ memberships: Uint8Array | null }>`
    select string_agg(uuid_send(m.memory_id) || int2send((s.number - 1)::int2), ''::bytea)
      as memberships
    from unnest(${setIds}::uuid[]) with ordinality as s (id, number)
    join cluster_memories m on m.account_id = ${accountId}::uuid and m.member_set_id = s.id
  `.execute(db);
  return rows[0]?.memberships ?? new Uint8Array();
}
