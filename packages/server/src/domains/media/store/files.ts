import type { Owner } from '@mneme/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { acrossAccounts, type Db, type Tables, type Tx } from '../../../database/index.ts';
import type { MemoryRecord } from '../../memories/index.ts';
import { deleteClipsOfMemories } from './clips.ts';

export type MediaFile = Selectable<Tables['media_files']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('media_files').selectAll().where('account_id', '=', accountId);

export async function insertFile(
  tx: Tx,
  row: Insertable<Tables['media_files']>,
): Promise<MediaFile> {
  return tx.insertInto('media_files').values(row).returningAll().executeTakeFirstOrThrow();
}

export const findFile = (
  db: Db,
  accountId: string,
  memoryId: string,
): Promise<MediaFile | undefined> =>
  selectOfAccount(db, accountId).where('memory_id', '=', memoryId).executeTakeFirst();

/** Searches all accounts: for signed links, whose signature grants access. */
export const findFileByMemoryId = (db: Db, memoryId: string): Promise<MediaFile | undefined> =>
  acrossAccounts(db, 'a signed link has no account')
    .selectFrom('media_files')
    .selectAll('media_files')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.account_id', '=', 'media_files.account_id')
        .onRef('memories.id', '=', 'media_files.memory_id'),
    )
    .where('media_files.memory_id', '=', memoryId)
    .where('memories.deleted_at', 'is', null)
    .where('memories.erased_at', 'is', null)
    .executeTakeFirst();

/** Finds an active memory of the same owner and space with the same bytes. */
export async function findMemoryByHash(
  db: Db,
  place: Pick<MemoryRecord, 'account_id' | 'space_id' | keyof Owner>,
  sha256: Uint8Array,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('media_files')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.account_id', '=', 'media_files.account_id')
        .onRef('memories.id', '=', 'media_files.memory_id'),
    )
    .select('media_files.memory_id')
    .where('media_files.account_id', '=', place.account_id)
    .where('media_files.sha256', '=', sha256)
    .where('memories.space_id', 'is not distinct from', place.space_id)
    .where('memories.user_id', 'is not distinct from', place.user_id)
    .where('memories.agent_id', 'is not distinct from', place.agent_id)
    .where('memories.run_id', 'is not distinct from', place.run_id)
    .where('memories.deleted_at', 'is', null)
    .where('memories.erased_at', 'is', null)
    .executeTakeFirst();
  return row?.memory_id;
}

/** Returns false if the file is gone or already has a thumbnail. */
export async function saveThumbnail(
  tx: Tx,
  { account_id, memory_id }: Pick<MediaFile, 'account_id' | 'memory_id'>,
  { blob, bytes }: { blob: string; bytes: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('media_files')
    .set({ thumbnail_blob: blob, thumbnail_bytes: bytes })
    .where('account_id', '=', account_id)
    .where('memory_id', '=', memory_id)
    .where('thumbnail_blob', 'is', null)
    .returning('memory_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the files of memories with dependent rows; returns their blobs. */
export async function deleteFiles(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  // Locked first: a concurrent insertClip either has committed or finds no file.
  await sql`
    select from media_files
    where account_id = ${accountId} and memory_id = any(${memoryIds}::uuid[])
    order by memory_id for update`.execute(tx);
  const clips = await deleteClipsOfMemories(tx, accountId, memoryIds);
  const { rows: files } = await sql<Pick<MediaFile, 'blob' | 'thumbnail_blob'>>`
    delete from media_files
    where account_id = ${accountId} and memory_id = any(${memoryIds}::uuid[])
    returning blob, thumbnail_blob`.execute(tx);
  const thumbnails = files.flatMap(({ thumbnail_blob: name }) => (name === null ? [] : [name]));
  return [...clips, ...files.map(({ blob }) => blob), ...thumbnails];
}

/** A page in the order of memory ids. */
export const filesAfter = (
  db: Db,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<MediaFile[]> => {
  const all = selectOfAccount(db, accountId).orderBy('memory_id').limit(limit);
  return (after === null ? all : all.where('memory_id', '>', after)).execute();
};

/** Adds the names that a file, a thumbnail, a clip or an upload part references to `named`. */
export async function collectBlobsReferencedByMedia(
  db: Db,
  names: readonly string[],
  referenced: Set<string>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select blob as name from media_files where blob = any(${names}::text[])
    union all
    select thumbnail_blob from media_files where thumbnail_blob = any(${names}::text[])
    union all select blob from media_clips where blob = any(${names}::text[])
    union all select blob from media_upload_parts where blob = any(${names}::text[])`.execute(
    acrossAccounts(db, 'a job removes blobs that no account references'),
  );
  for (const { name } of rows) referenced.add(name);
}
