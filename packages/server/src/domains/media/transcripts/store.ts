import type { TranscribeOptions, Transcript } from '@mneme/contract';
import type { Db, Tx } from '../../../database/index.ts';
import { type MediaJobClaim, updateClaimed } from '../runs/store.ts';
import type { PartialTranscript } from './transcribe-windows.ts';

export interface TranscriptRecord {
  readonly account_id: string;
  readonly memory_id: string;
  readonly job_id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly attempt: number;
  /** The one whose segments count. */
  readonly shown_attempt: number | null;
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
  'shown_attempt',
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

/** False, and nothing done, where one is being made. Former words stay until new ones are there. */
export async function queueTranscriptRow(tx: Tx, asked: NewTranscript): Promise<boolean> {
  const row = {
    ...asked,
    options: JSON.stringify(asked.options),
    status: 'queued' as const,
    heard: null,
    error: null,
  };
  // Who listened to the former words is known with them, until there are new ones.
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

/** One that was taken up, and what was heard before that run was broken off. */
export interface AcquiredTranscript extends TranscriptRecord {
  readonly heard: PartialTranscript | null;
}

/** Takes it up; undefined where another job has it, or it is over. */
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
    .returning([...columns, 'heard'])
    .executeTakeFirst() as Promise<AcquiredTranscript | undefined>;

/** What was heard so far, for whoever goes on. As `changeHeld`. */
export const savePartialSegments = (
  db: Db,
  held: MediaJobClaim,
  heard: PartialTranscript,
): Promise<boolean> => updateClaimed(db, 'transcripts', held, { heard: JSON.stringify(heard) });

const endTranscript = (
  db: Db,
  held: MediaJobClaim,
  outcome: Record<string, unknown>,
): Promise<boolean> => updateClaimed(db, 'transcripts', held, { ...outcome, heard: null });

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
  held: MediaJobClaim,
  made: TranscriptResult,
  now: Date,
): Promise<boolean> =>
  endTranscript(tx, held, {
    ...made,
    entities: JSON.stringify(made.entities),
    chapters: JSON.stringify(made.chapters),
    status: 'completed',
    shown_attempt: held.attempt,
    error: null,
    completed_at: now,
  });

export const failTranscript = (db: Db, held: MediaJobClaim, error: string): Promise<boolean> =>
  endTranscript(db, held, { status: 'failed', error });
