import { type Insertable, sql } from 'kysely';
import type { Db, Tables, Tx } from '../../../database/index.ts';

/** False if the recording has a transcript already. */
export async function insertImportedTranscript(
  tx: Tx,
  row: Insertable<Tables['transcripts']>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('transcripts')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning('memory_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False if the video has an interpretation already. */
export async function insertImportedInterpretation(
  tx: Tx,
  row: Insertable<Tables['video_interpretations']>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('video_interpretations')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning('memory_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The recordings of these whose text of a modality a job has made. */
export async function findRecordingsOfJob(
  db: Db,
  accountId: string,
  { modality, jobId }: { readonly modality: 'speech' | 'frame'; readonly jobId: string },
  memoryIds: readonly string[],
): Promise<Set<string>> {
  const table = modality === 'speech' ? 'transcripts' : 'video_interpretations';
  const { rows } = await sql<{ id: string }>`
    select memory_id as id from ${sql.table(table)}
    where account_id = ${accountId}::uuid and job_id = ${jobId}::uuid
      and memory_id = any(${memoryIds}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The recordings of these that have a file. */
export async function findRecordings(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select memory_id as id from media_files
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
