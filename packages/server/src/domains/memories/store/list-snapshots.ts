import { sql } from 'kysely';
import { acrossAvailableAccounts, type Db, type Tx } from '../../../database/index.ts';

export async function insertListSnapshot(
  db: Db,
  snapshot: {
    readonly accountId: string;
    readonly id: string;
    readonly memoryIds: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  await db
    .insertInto('list_snapshots')
    .values({
      account_id: snapshot.accountId,
      id: snapshot.id,
      memory_ids: [...snapshot.memoryIds],
      used_at: snapshot.now,
    })
    .execute();
}

/** Keeps the snapshots of the account that were used last. */
export async function keepNewestListSnapshots(
  db: Db,
  accountId: string,
  count: number,
): Promise<void> {
  await sql`
    delete from list_snapshots where account_id = ${accountId}::uuid and id in (
      select id from list_snapshots where account_id = ${accountId}::uuid
      order by used_at desc, id desc offset ${count}::int
    )`.execute(db);
}

interface SnapshotRequest {
  readonly offset: number;
  readonly limit: number;
  readonly now: Date;
  /** A snapshot that was last used before is gone. */
  readonly usedSince: Date;
}

/**
 * Some ids from an offset on, and how many there are; undefined if the snapshot is gone. It is kept
 * for longer.
 */
export async function readListSnapshot(
  db: Db,
  accountId: string,
  id: string,
  { offset, limit, now, usedSince }: SnapshotRequest,
): Promise<{ ids: string[]; total: number } | undefined> {
  const { rows } = await sql<{ ids: string[]; total: number }>`
    update list_snapshots set used_at = ${now}::timestamptz
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and used_at >= ${usedSince}::timestamptz
    returning memory_ids[${offset + 1}::int : ${offset + limit}::int] as ids,
      cardinality(memory_ids) as total`.execute(db);
  return rows[0];
}

export async function pruneListSnapshots(db: Db, usedBefore: Date): Promise<void> {
  await acrossAvailableAccounts(db, 'unused snapshots expire')
    .deleteFrom('list_snapshots')
    .where('used_at', '<', usedBefore)
    .execute();
}

export async function deleteListSnapshots(db: Db | Tx, accountId: string): Promise<void> {
  await db.deleteFrom('list_snapshots').where('account_id', '=', accountId).execute();
}
