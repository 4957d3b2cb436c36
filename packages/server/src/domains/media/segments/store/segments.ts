import type { SegmentModality } from '@mneme/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../../database/index.ts';

export interface SegmentRecord {
  readonly account_id: string;
  readonly id: string;
  readonly memory_id: string;
  readonly modality: SegmentModality;
  /** The attempt number of the run that wrote it. */
  readonly attempt: number;
  readonly number: number;
  /** Seconds. */
  readonly start_time: number;
  readonly end_time: number;
  readonly text: string;
  readonly speaker: string | null;
  readonly confidence: number | null;
  readonly labels: string[] | null;
}

export async function insertSegments(tx: Tx, records: readonly SegmentRecord[]): Promise<void> {
  await tx.insertInto('media_segments').values(records).execute();
}

/** Deletes up to `limit` segments of runs not in `keep`. Returns the deleted ids. */
export async function deleteSegmentsOfOtherRuns(
  tx: Tx,
  { accountId, memoryId, modality }: SegmentOwner,
  keptAttempts: readonly number[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from media_segments
    where account_id = ${accountId}::uuid and id in (
      select id from media_segments
      where account_id = ${accountId}::uuid and memory_id = ${memoryId}::uuid
        and modality = ${modality} and attempt <> all(${keptAttempts}::integer[])
      limit ${limit}::integer
    ) returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface SegmentOwner {
  readonly accountId: string;
  readonly memoryId: string;
  readonly modality: SegmentModality;
}

export const segmentsOfMemories = (
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<SegmentRecord[]> =>
  db
    .selectFrom('media_segments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('memory_id', 'in', memoryIds)
    .orderBy('memory_id')
    .orderBy('modality')
    .orderBy('number')
    .execute() as Promise<SegmentRecord[]>;

/** In the order of the recording. */
export const segmentsOfRun = (
  db: Db,
  { accountId, memoryId, modality }: SegmentOwner,
  attempt: number,
): Promise<SegmentRecord[]> =>
  db
    .selectFrom('media_segments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .where('modality', '=', modality)
    .where('attempt', '=', attempt)
    .orderBy('number')
    .execute() as Promise<SegmentRecord[]>;

export async function segmentIds(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from media_segments
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
  `.execute(db);
  return rows.map(({ id }) => id);
}

export async function segmentsById(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<SegmentRecord[]> {
  const { rows } = await sql<SegmentRecord>`
    select * from media_segments
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** A page in the order of ids. */
export const segmentsAfter = (
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<SegmentRecord[]> =>
  db
    .selectFrom('media_segments')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute() as Promise<SegmentRecord[]>;
