import type { OwnerFilter } from '@mneme/contract';
import { sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import { inSpaces, type MemoryVisibility } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import { andOwnedBy } from './owned.ts';

/** A memory in a cluster, which may be staged. */
export interface Membership {
  readonly cluster_id: string;
  readonly space_id: string | null;
  readonly type: string;
  readonly run_id: string | null;
  readonly member_set_id: string;
  readonly memory_id: string;
  readonly confidence: number;
  readonly added_at: Date;
  readonly is_in_vector_sum: boolean;
}

/** All memberships of these memories. */
export async function membershipsOf(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select c.id as cluster_id, c.space_id, c.type, c.run_id, m.member_set_id, m.memory_id,
      m.confidence, m.added_at, m.is_in_vector_sum
    from cluster_memories m join clusters c
      on c.account_id = m.account_id and c.member_set_id = m.member_set_id
    where m.account_id = ${accountId}::uuid and m.memory_id = any(${memoryIds}::uuid[])
  `.execute(db);
  return rows;
}

export interface NewMember {
  readonly setId: string;
  readonly memoryId: string;
  readonly confidence: number;
  readonly isSummed: boolean;
}

/** Adds memories to sets; an existing membership keeps its time and gets the new confidence. */
export async function upsertMembers(
  tx: Tx,
  accountId: string,
  members: readonly NewMember[],
  now: Date,
): Promise<void> {
  if (members.length === 0) return;
  const json = JSON.stringify(
    members.map(({ setId, memoryId, confidence, isSummed }) => ({
      s: setId,
      m: memoryId,
      c: confidence,
      x: isSummed,
    })),
  );
  await sql`
    insert into cluster_memories (account_id, member_set_id, memory_id, confidence, added_at,
      is_in_vector_sum)
    select account.account_id, s, m, c, ${now}::timestamptz, x
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (s uuid, m uuid, c float8, x boolean)
    on conflict (account_id, member_set_id, memory_id) do update set
      confidence = excluded.confidence`.execute(tx);
}

/** Members of an import, with the times at which they were added. */
export async function insertImportedMembers(
  tx: Tx,
  accountId: string,
  members: readonly (NewMember & { readonly addedAt: Date })[],
): Promise<void> {
  const json = JSON.stringify(
    members.map(({ setId, memoryId, confidence, isSummed, addedAt }) => ({
      s: setId,
      m: memoryId,
      c: confidence,
      x: isSummed,
      t: addedAt,
    })),
  );
  await sql`
    insert into cluster_memories (account_id, member_set_id, memory_id, confidence, added_at,
      is_in_vector_sum)
    select account.account_id, s, m, c, t, x
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json)
      as row (s uuid, m uuid, c float8, t timestamptz, x boolean)
    on conflict do nothing`.execute(tx);
}

type Key = Pick<Membership, 'member_set_id' | 'memory_id'>;

const keysJson = (keys: readonly Key[]): string =>
  JSON.stringify(keys.map(({ member_set_id, memory_id }) => ({ s: member_set_id, m: memory_id })));

export async function removeMembers(
  tx: Tx,
  accountId: string,
  keys: readonly Key[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from cluster_memories
    using json_to_recordset(${keysJson(keys)}::json) as row (s uuid, m uuid)
    where account_id = ${accountId}::uuid and member_set_id = s and memory_id = m`.execute(tx);
}

/** Records whether their vectors are in the sums. */
export async function setIsInVectorSum(
  tx: Tx,
  accountId: string,
  keys: readonly Key[],
  isSummed: boolean,
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update cluster_memories set is_in_vector_sum = ${isSummed}::boolean
    from json_to_recordset(${keysJson(keys)}::json) as row (s uuid, m uuid)
    where account_id = ${accountId}::uuid and member_set_id = s and memory_id = m`.execute(tx);
}

/** Deletes some rows of unused sets; returns how many. */
export async function deleteMemberSetBatch(
  db: Db,
  accountId: string,
  setIds: readonly string[],
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cluster_memories
    where account_id = ${accountId}::uuid and (member_set_id, memory_id) in (
      select member_set_id, memory_id from cluster_memories
      where account_id = ${accountId}::uuid and member_set_id = any(${setIds}::uuid[])
        and not exists (
          select from clusters c where c.account_id = ${accountId}::uuid
            and c.member_set_id = cluster_memories.member_set_id)
      limit ${limit}::int)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface MemberPageQuery {
  readonly sort: 'added_at' | 'confidence' | 'created_at' | 'updated_at';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export interface MemberRow {
  readonly memory_id: string;
  readonly confidence: number;
  readonly added_at: Date;
}

/** Visible active memories of a set, and their total number. */
export async function listMembers(
  db: Db,
  accountId: string,
  setId: string,
  { visible, owner }: { readonly visible: MemoryVisibility; readonly owner: OwnerFilter },
  page: MemberPageQuery,
): Promise<{ rows: MemberRow[]; total: number }> {
  const ofMemory = page.sort === 'created_at' || page.sort === 'updated_at';
  const by = sql.ref(`${ofMemory ? 'v' : 'm'}.${page.sort}`);
  const order = sql.raw(page.order);
  const from = sql`from cluster_memories m
    join ${visibleMemoriesSubquery(accountId, visible)} as v on v.id = m.memory_id
    where m.account_id = ${accountId}::uuid and m.member_set_id = ${setId}::uuid
      ${andOwnedBy(owner)}`;
  const { rows } = await sql<MemberRow>`
    select m.memory_id, m.confidence, m.added_at ${from}
    order by ${by} ${order}, m.memory_id ${order}
    limit ${page.limit}::int offset ${page.offset}::int`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Some active memories of a set in the order of their ids, after one of them. */
export async function listMembersAfter(
  db: Db,
  accountId: string,
  setId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ memory_id: string }>`
    select m.memory_id from cluster_memories m
    join ${visibleMemoriesSubquery(accountId, inSpaces(null))} as v on v.id = m.memory_id
    where m.account_id = ${accountId}::uuid and m.member_set_id = ${setId}::uuid
      and m.memory_id > ${after}::uuid
    order by m.memory_id limit ${limit}::int`.execute(db);
  return rows.map(({ memory_id }) => memory_id);
}

/** Whether the sum of a set lacks vectors of active memories. */
export async function hasUnsummedMembers(
  tx: Tx,
  accountId: string,
  setId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from cluster_memories m
    join ${visibleMemoriesSubquery(accountId, inSpaces(null))} as v on v.id = m.memory_id
    where m.account_id = ${accountId}::uuid and m.member_set_id = ${setId}::uuid
      and not m.is_in_vector_sum
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** The members of both sets, and whether each sum includes them. */
export async function findSharedMembers(
  tx: Tx,
  accountId: string,
  one: string,
  other: string,
): Promise<{ memory_id: string; both: boolean; active: boolean }[]> {
  const { rows } = await sql<{ memory_id: string; both: boolean; active: boolean }>`
    select a.memory_id, a.is_in_vector_sum and b.is_in_vector_sum as both,
      v.id is not null as active
    from cluster_memories a
    join cluster_memories b on b.account_id = a.account_id and b.member_set_id = ${other}::uuid
      and b.memory_id = a.memory_id
    left join ${visibleMemoriesSubquery(accountId, inSpaces(null))} as v on v.id = a.memory_id
    where a.account_id = ${accountId}::uuid and a.member_set_id = ${one}::uuid`.execute(tx);
  return rows;
}

/** Moves the members of one set to another; the higher confidence of the two is stored. */
export async function moveMembers(
  tx: Tx,
  accountId: string,
  from: string,
  to: string,
): Promise<void> {
  await sql`
    update cluster_memories as t set
      confidence = greatest(t.confidence, s.confidence), added_at = least(t.added_at, s.added_at),
      is_in_vector_sum = t.is_in_vector_sum or s.is_in_vector_sum
    from cluster_memories s
    where t.account_id = ${accountId}::uuid and t.member_set_id = ${to}::uuid
      and s.account_id = t.account_id and s.member_set_id = ${from}::uuid
      and s.memory_id = t.memory_id`.execute(tx);
  await sql`
    update cluster_memories as s set member_set_id = ${to}::uuid
    where s.account_id = ${accountId}::uuid and s.member_set_id = ${from}::uuid and not exists (
      select from cluster_memories t where t.account_id = s.account_id
        and t.member_set_id = ${to}::uuid and t.memory_id = s.memory_id)`.execute(tx);
}

/** One step of deleting an account's members; false if nothing was left. */
export async function deleteMemberBatch(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from cluster_memories
    where account_id = ${accountId}::uuid and (member_set_id, memory_id) in (
      select member_set_id, memory_id from cluster_memories
      where account_id = ${accountId}::uuid limit ${limit}::int)`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Deletes all other rows of an account. */
export async function deleteAllClusters(db: Db, accountId: string): Promise<void> {
  for (const table of ['clusters', 'cluster_runs', 'clustering_settings']) {
    await sql`delete from ${sql.table(table)}
      where account_id = ${accountId}::uuid`.execute(db);
  }
}

/** The active memories of each of the sets. */
export async function membersOfSets(
  db: Db,
  accountId: string,
  setIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (setIds.length === 0) return new Map();
  const { rows } = await sql<{ member_set_id: string; members: string[] }>`
    select m.member_set_id, array_agg(m.memory_id::text) as members from cluster_memories m
    join ${visibleMemoriesSubquery(accountId, inSpaces(null))} as v on v.id = m.memory_id
    where m.account_id = ${accountId}::uuid and m.member_set_id = any(${setIds}::uuid[])
    group by m.member_set_id`.execute(db);
  return new Map(rows.map(({ member_set_id, members }) => [member_set_id, members]));
}
