import { type Selectable, sql } from 'kysely';
import { acrossAvailableAccounts, type Db, type Tables, type Tx } from '../../../database/index.ts';

export type Clip = Selectable<Tables['media_clips']>;

export const findClip = (
  db: Db,
  key: Pick<Clip, 'account_id' | 'memory_id' | 'start_ms' | 'end_ms'>,
): Promise<Clip | undefined> =>
  db
    .selectFrom('media_clips')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('memory_id', '=', key.memory_id)
    .where('start_ms', '=', key.start_ms)
    .where('end_ms', '=', key.end_ms)
    .executeTakeFirst();

/** Returns false if the recording is gone or another process has stored the same clip. */
export async function insertClip(tx: Tx, clip: Clip): Promise<boolean> {
  const { rows } = await sql`
    insert into media_clips
      (account_id, memory_id, start_ms, end_ms, blob, bytes, created_at)
    select account_id, memory_id, ${clip.start_ms}::integer, ${clip.end_ms}::integer,
      ${clip.blob}, ${clip.bytes}::integer, ${clip.created_at}::timestamptz
    from media_files
    where account_id = ${clip.account_id} and memory_id = ${clip.memory_id}
    for key share
    on conflict do nothing
    returning memory_id`.execute(tx);
  return rows.length > 0;
}

/** A page in the order of blobs. */
export const clipsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Clip[]> =>
  tx
    .selectFrom('media_clips')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(after !== null, (clips) => clips.where('blob', '>', after ?? ''))
    .orderBy('blob')
    .limit(limit)
    .execute();

/** Returns the blobs of the deleted clips. */
export async function deleteClipsOfMemories(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ blob: string }>`
    delete from media_clips
    where account_id = ${accountId} and memory_id = any(${memoryIds}::uuid[])
    returning blob`.execute(tx);
  return rows.map(({ blob }) => blob);
}

/** The accounts that have clips from before `before`. */
export async function findAccountsWithOldClips(db: Db, before: Date): Promise<string[]> {
  const rows = await acrossAvailableAccounts(db, 'old clips expire')
    .selectFrom('media_clips')
    .select('account_id')
    .distinct()
    .where('created_at', '<', before)
    .execute();
  return rows.map((row) => row.account_id);
}

/** Deletes up to `limit` older clips of an account; returns their blobs. */
export async function deleteOldClips(
  tx: Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ blob: string }>`
    delete from media_clips
    where account_id = ${accountId}::uuid and (memory_id, start_ms, end_ms) in (
      select memory_id, start_ms, end_ms from media_clips
      where account_id = ${accountId}::uuid and created_at < ${before}::timestamptz
      order by created_at limit ${limit}::int
    ) returning blob`.execute(tx);
  return rows.map(({ blob }) => blob);
}
