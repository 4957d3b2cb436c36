import type { Db, Tx } from '../../../../database/index.ts';
import type { FrameDescription } from '../../../../providers/vision/index.ts';
import { type MediaJobClaim, updateClaimedRow } from '../../runs/store/job-claims.ts';

/** The progress of a run, so that a retry does not describe a frame twice. */
export interface FrameDescriptionProgress {
  /** The times of the key frames, in seconds. */
  readonly times: readonly number[];
  /** The descriptions of the first of `times`; null: no frame or no description. */
  readonly seen: readonly (FrameDescription | null)[];
}

export interface InterpretationRecord {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly attempt: number;
  /** The attempt whose segments are visible. */
  readonly completed_attempt: number | null;
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
  'completed_attempt',
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

/** Returns false and changes nothing if an interpretation is in progress. */
export async function queueInterpretationRow(tx: Tx, request: NewInterpretation): Promise<boolean> {
  // The model belongs to the previous descriptions until new ones replace them.
  const { account_id: _, memory_id: __, model: ___, ...changes } = request;
  const requeued = { ...changes, status: 'queued' as const, partial_frames: null, error: null };
  const row = await tx
    .insertInto('video_interpretations')
    .values({ ...request, status: 'queued' })
    .onConflict((on) =>
      on
        .columns(['account_id', 'memory_id'])
        .doUpdateSet(requeued)
        .where('video_interpretations.status', 'in', ['completed', 'failed']),
    )
    .returning('memory_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A claimed row with the frames of an interrupted run. */
export interface AcquiredInterpretation extends InterpretationRecord {
  readonly partial_frames: FrameDescriptionProgress | null;
}

/** Claims the row. Undefined: another job has claimed it, or it has ended. */
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
    .returning([...columns, 'partial_frames'])
    .executeTakeFirst() as Promise<AcquiredInterpretation | undefined>;

/** Returns as updateClaimedRow. */
export const savePartialFrames = (
  db: Db,
  claim: MediaJobClaim,
  partial: FrameDescriptionProgress,
): Promise<boolean> =>
  updateClaimedRow(db, 'video_interpretations', claim, { partial_frames: JSON.stringify(partial) });

/** Returns as updateClaimedRow. */
export const completeInterpretation = (
  db: Db,
  claim: MediaJobClaim,
  { model, summary, now }: { model: string; summary: string; now: Date },
): Promise<boolean> =>
  endInterpretation(db, claim, {
    status: 'completed',
    completed_attempt: claim.attempt,
    model,
    summary,
    error: null,
    completed_at: now,
  });

/** Returns as updateClaimedRow. */
export const failInterpretation = (db: Db, claim: MediaJobClaim, error: string): Promise<boolean> =>
  endInterpretation(db, claim, { status: 'failed', error });

const endInterpretation = (
  db: Db,
  claim: MediaJobClaim,
  outcome: Record<string, unknown>,
): Promise<boolean> =>
  updateClaimedRow(db, 'video_interpretations', claim, { ...outcome, partial_frames: null });
