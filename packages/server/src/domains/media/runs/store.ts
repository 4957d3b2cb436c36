import type { Db, Tx } from '../../../database/index.ts';

/** What jobs make of recordings: each row says who has it in hand, and since which attempt. */
export type MediaJobTable = 'transcripts' | 'video_interpretations';

/** The run that has one in hand; who takes it up after a crash is another one. */
export interface MediaJobClaim {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly attempt: number;
}

/** False, and nothing changed, where somebody else has taken it up meanwhile. */
export async function updateClaimed(
  db: Db,
  made: MediaJobTable,
  held: MediaJobClaim,
  changes: Record<string, unknown>,
): Promise<boolean> {
  const row = await db
    .updateTable(made)
    .set(changes)
    .where('account_id', '=', held.account_id)
    .where('memory_id', '=', held.memory_id)
    .where('job_id', '=', held.job_id)
    .where('attempt', '=', held.attempt)
    .where('status', '=', 'processing')
    .returning('memory_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Back to those that wait: the job of this run is tried again later. As `changeHeld`. */
export const requeueClaimed = (
  db: Db,
  made: MediaJobTable,
  held: MediaJobClaim,
): Promise<boolean> => updateClaimed(db, made, held, { status: 'queued' });

/** Whether it is still this run's; until the transaction ends no other takes it. */
export async function isClaimed(
  tx: Tx,
  made: MediaJobTable,
  held: MediaJobClaim,
): Promise<boolean> {
  const row = await tx
    .selectFrom(made)
    .select('memory_id')
    .where('account_id', '=', held.account_id)
    .where('memory_id', '=', held.memory_id)
    .where('job_id', '=', held.job_id)
    .where('attempt', '=', held.attempt)
    .where('status', '=', 'processing')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
