import type { Db, Tx } from '../../../database/index.ts';
import type { FrameDescription } from '../../../providers/vision/index.ts';
import { type MediaJobClaim, updateClaimed } from '../runs/store.ts';

/** How far a run is, so that no picture is described twice after a crash. */
export interface PartialFrames {
  /** Which pictures, in seconds. */
  readonly times: readonly number[];
  /** Of the times that were looked at; null: nothing is to be told of it. */
  readonly seen: readonly (FrameDescription | null)[];
}

export interface InterpretationRecord {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly attempt: number;
  /** The one whose segments count. */
  readonly shown_attempt: number | null;
  readonly model: string;
  readonly summary: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

const columns = [
  'account_id',
  'memory_id',
  'job_id',
  'status',
  'attempt',
  'shown_attempt',
  'model',
  'summary',
  'error',
  'created_at',
  'completed_at',
] as const;

export const findInterpretation = (
  db: Db,
  accountId: string,
  memoryId: string,
): Promise<InterpretationRecord | undefined> =>
  db
    .selectFrom('video_interpretations')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .executeTakeFirst();

type NewInterpretation = Pick<
  InterpretationRecord,
  'account_id' | 'memory_id' | 'job_id' | 'model' | 'created_at'
>;

/** False, and nothing done, where one is being made. */
export async function queueInterpretationRow(tx: Tx, asked: NewInterpretation): Promise<boolean> {
  // What has seen the former frames is known with them, until there are new ones.
  const { account_id: _, memory_id: __, model: ___, ...changes } = asked;
  const again = { ...changes, status: 'queued' as const, looked: null, error: null };
  const row = await tx
    .insertInto('video_interpretations')
    .values({ ...asked, status: 'queued' })
    .onConflict((on) =>
      on
        .columns(['account_id', 'memory_id'])
        .doUpdateSet(again)
        .where('video_interpretations.status', 'in', ['completed', 'failed']),
    )
    .returning('memory_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** One that was taken up, and what was seen before that run was broken off. */
export interface AcquiredInterpretation extends InterpretationRecord {
  readonly looked: PartialFrames | null;
}

/** Takes it up; undefined where another job has it, or it is over. */
export const acquireInterpretation = (
  db: Db,
  accountId: string,
  memoryId: string,
  jobId: string,
): Promise<AcquiredInterpretation | undefined> =>
  db
    .updateTable('video_interpretations')
    .set((row) => ({ status: 'processing', attempt: row('attempt', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'processing'])
    .returning([...columns, 'looked'])
    .executeTakeFirst() as Promise<AcquiredInterpretation | undefined>;

/** As `changeHeld`. */
export const savePartialFrames = (
  db: Db,
  held: MediaJobClaim,
  looked: PartialFrames,
): Promise<boolean> =>
  updateClaimed(db, 'video_interpretations', held, { looked: JSON.stringify(looked) });

/** As `changeHeld`. */
export const completeInterpretation = (
  db: Db,
  held: MediaJobClaim,
  { model, summary, now }: { model: string; summary: string; now: Date },
): Promise<boolean> =>
  endInterpretation(db, held, {
    status: 'completed',
    shown_attempt: held.attempt,
    model,
    summary,
    error: null,
    completed_at: now,
  });

/** As `changeHeld`. */
export const failInterpretation = (db: Db, held: MediaJobClaim, error: string): Promise<boolean> =>
  endInterpretation(db, held, { status: 'failed', error });

const endInterpretation = (
  db: Db,
  held: MediaJobClaim,
  outcome: Record<string, unknown>,
): Promise<boolean> =>
  updateClaimed(db, 'video_interpretations', held, { ...outcome, looked: null });
