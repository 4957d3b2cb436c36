import type { TranscribeOptions, Transcript } from '@mneme/contract';
import type { Db, Tx } from '../../../engine/index.ts';
import { changeHeld, type Held } from '../runs/store.ts';
import type { Heard } from './listen.ts';

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

type Asked = Pick<
  TranscriptRecord,
  'account_id' | 'memory_id' | 'job_id' | 'options' | 'provider' | 'created_at'
>;

/** False, and nothing done, where one is being made. Former words stay until new ones are there. */
export async function askForTranscript(tx: Tx, asked: Asked): Promise<boolean> {
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
export interface TakenTranscript extends TranscriptRecord {
  readonly heard: Heard | null;
}

/** Takes it up; undefined where another job has it, or it is over. */
export const takeTranscript = (
  db: Db,
  accountId: string,
  memoryId: string,
  jobId: string,
): Promise<TakenTranscript | undefined> =>
  db
    .updateTable('transcripts')
    .set((row) => ({ status: 'processing', attempt: row('attempt', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('memory_id', '=', memoryId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'processing'])
    .returning([...columns, 'heard'])
    .executeTakeFirst() as Promise<TakenTranscript | undefined>;

/** What was heard so far, for whoever goes on. As `changeHeld`. */
export const keepHeard = (db: Db, held: Held, heard: Heard): Promise<boolean> =>
  changeHeld(db, 'transcripts', held, { heard: JSON.stringify(heard) });

const end = (db: Db, held: Held, outcome: Record<string, unknown>): Promise<boolean> =>
  changeHeld(db, 'transcripts', held, { ...outcome, heard: null });

type Made = Pick<
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

export const completeTranscript = (tx: Tx, held: Held, made: Made, now: Date): Promise<boolean> =>
  end(tx, held, {
    ...made,
    entities: JSON.stringify(made.entities),
    chapters: JSON.stringify(made.chapters),
    status: 'completed',
    shown_attempt: held.attempt,
    error: null,
    completed_at: now,
  });

export const failTranscript = (db: Db, held: Held, error: string): Promise<boolean> =>
  end(db, held, { status: 'failed', error });
