import type { Db, Tx } from '../../../../database/index.ts';

/** Results of media jobs. Each row names the job and the attempt that have claimed it. */
export type MediaJobTable = 'transcripts' | 'video_interpretations';

/** One attempt of a job at a row; a retry after a crash is another attempt. */
export interface MediaJobClaim {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly attempt: number;
}

/** Returns false and changes nothing if another run has claimed the row. */
export async function updateClaimedRow(
  db: Db,
  table: MediaJobTable,
  claim: MediaJobClaim,
  changes: Record<string, unknown>,
): Promise<boolean> {
  const row = await db
    .updateTable(table)
    .set(changes)
    .where('account_id', '=', claim.account_id)
    .where('memory_id', '=', claim.memory_id)
    .where('job_id', '=', claim.job_id)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'processing')
    .returning('memory_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts the row back in the queue for a retry. Returns as updateClaimedRow. */
export const requeueClaimedRow = (
  db: Db,
  table: MediaJobTable,
  claim: MediaJobClaim,
): Promise<boolean> => updateClaimedRow(db, table, claim, { status: 'queued' });

/** Locks the row: no other run can claim it until the transaction ends. */
export async function isClaimed(
  tx: Tx,
  table: MediaJobTable,
  claim: MediaJobClaim,
): Promise<boolean> {
  const row = await tx
    .selectFrom(table)
    .select('memory_id')
    .where('account_id', '=', claim.account_id)
    .where('memory_id', '=', claim.memory_id)
    .where('job_id', '=', claim.job_id)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'processing')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
