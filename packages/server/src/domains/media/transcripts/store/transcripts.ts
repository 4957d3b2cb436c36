import type { TranscribeOptions, Transcript } from '@mneme/contract';
import type { Db, Tx } from '../../../../database/index.ts';
import { type MediaJobClaim, updateClaimedRow } from '../../runs/store/job-claims.ts';
import type { PartialTranscript } from '../transcribe-windows.ts';

export interface TranscriptRecord {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly attempt: number;
  /** The attempt whose segments are visible. */
  readonly completed_attempt: number | null;
  readonly options: TranscribeOptions;
  readonly ignored_options: string[];
  readonly provider: string;
  readonly full_transcript: string | null;
  readonly language: string | null;
  readonly language_confidence: number | null;
  readonly duration: number | null;
  readonly entities: Transcript['entities'] | null;
  readonly chapters: Transcript['chapters'] | null;
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
  'options',
  'ignored_options',
  'provider',
  'full_transcript',
  'language',
  'language_confidence',
  'duration',
  'entities',
  'chapters',
  'summary',
  'error',
  'created_at',
  'completed_at',
] as const;

export const findTranscript = (
  db: Db,
  accountId: string,
  memoryId: string,
): Promise<TranscriptRecord | undefined> =>
  db
    .selectFrom('transcripts')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .executeTakeFirst();

type NewTranscript = Pick<
  TranscriptRecord,
  'account_id' | 'memory_id' | 'job_id' | 'options' | 'provider' | 'created_at'
>;

/** False if a transcription is in progress. The previous transcript stays until it is replaced. */
export async function queueTranscriptRow(tx: Tx, request: NewTranscript): Promise<boolean> {
  const row = {
    ...request,
    options: JSON.stringify(request.options),
    status: 'queued' as const,
    partial_segments: null,
    error: null,
  };
  // The provider belongs to the previous transcript until a new one replaces it.
  const { account_id: _, memory_id: __, provider: ___, ...changes } = row;
  const written = await tx
    .insertInto('transcripts')
    .values(row)
    .onConflict((on) =>
      on
        .columns(['account_id', 'memory_id'])
        .doUpdateSet(changes)
        .where('transcripts.status', 'in', ['completed', 'failed']),
    )
    .returning('memory_id')
    .executeTakeFirst();
  return written !== undefined;
}

/** A claimed row with the segments of an interrupted run. */
export interface AcquiredTranscript extends TranscriptRecord {
  readonly partial_segments: PartialTranscript | null;
}

/** Claims the row. Undefined: another job has claimed it, or it has ended. */
export const acquireTranscript = (
  db: Db,
  accountId: string,
  memoryId: string,
  jobId: string,
): Promise<AcquiredTranscript | undefined> =>
  db
    .updateTable('transcripts')
    .set((row) => ({ status: 'processing', attempt: row('attempt', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'processing'])
    .returning([...columns, 'partial_segments'])
    .executeTakeFirst() as Promise<AcquiredTranscript | undefined>;

/** Saves the progress for a retry. Returns as updateClaimedRow. */
export const savePartialSegments = (
  db: Db,
  claim: MediaJobClaim,
  partial: PartialTranscript,
): Promise<boolean> =>
  updateClaimedRow(db, 'transcripts', claim, { partial_segments: JSON.stringify(partial) });

const endTranscript = (
  db: Db,
  claim: MediaJobClaim,
  outcome: Record<string, unknown>,
): Promise<boolean> =>
  updateClaimedRow(db, 'transcripts', claim, { ...outcome, partial_segments: null });

export type TranscriptResult = Pick<
  TranscriptRecord,
  | 'provider'
  | 'ignored_options'
  | 'full_transcript'
  | 'language'
  | 'language_confidence'
  | 'duration'
  | 'entities'
  | 'chapters'
  | 'summary'
>;

export const completeTranscript = (
  tx: Tx,
  claim: MediaJobClaim,
  result: TranscriptResult,
  now: Date,
): Promise<boolean> =>
  endTranscript(tx, claim, {
    ...result,
    entities: JSON.stringify(result.entities),
    chapters: JSON.stringify(result.chapters),
    status: 'completed',
    completed_attempt: claim.attempt,
    error: null,
    completed_at: now,
  });

export const failTranscript = (db: Db, claim: MediaJobClaim, error: string): Promise<boolean> =>
  endTranscript(db, claim, { status: 'failed', error });
