import type { MediaPending, Transcript } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { Reply } from '../../handle.ts';
import { knownMedia } from '../known.ts';
import { type SegmentRecord, segmentsOfRun } from '../segments/store.ts';
import { noTranscriber } from './ask.ts';
import { findTranscript, type TranscriptRecord } from './store.ts';

/**
 * What was said; 202 while it is being made. Throws 503 where it failed, and where nobody can
 * listen; 404 not_found where it was never asked for.
 */
export async function readTranscript(
  ctx: Ctx,
  id: string,
  kind: 'any' | 'video',
): Promise<Transcript | Reply<Transcript | MediaPending>> {
  await knownMedia(ctx, id, kind);
  const { accountId } = ctx.actor;
  const record = await findTranscript(ctx.engine.db, accountId, id);
  if (!record) {
    if (ctx.transcribers.length === 0) throw noTranscriber();
    throw new AppError('not_found', { message: 'No transcript of it was asked for.' });
  }
  const { status, job_id } = record;
  if (status === 'queued' || status === 'processing') {
    return new Reply<Transcript | MediaPending>({ memory_id: id, job_id, status }, { status: 202 });
  }
  if (status === 'failed') throw failed('The transcript', record.error);
  const shown = record.shown_attempt ?? 0;
  return present(
    record,
    await segmentsOfRun(ctx.engine.db, { accountId, memoryId: id, modality: 'speech' }, shown),
  );
}

/** 503 with the reason; it may be asked for again. */
export const failed = (what: string, reason: string | null): AppError =>
  new AppError('service_unavailable', {
    message: `${what} could not be made: ${reason ?? 'unknown'}. It may be asked for again.`,
    details: { reason },
  });

const present = (record: TranscriptRecord, segments: readonly SegmentRecord[]): Transcript => ({
  memory_id: record.memory_id,
  full_transcript: record.full_transcript ?? '',
  language: record.language,
  language_confidence: record.language_confidence,
  duration: record.duration ?? 0,
  provider: record.provider,
  segments: segments.map(({ id, start_time, end_time, text, speaker, confidence }) => ({
    id,
    start: start_time,
    end: end_time,
    text,
    speaker,
    confidence,
  })),
  entities: record.entities ?? [],
  chapters: record.chapters ?? [],
  summary: record.summary,
  ignored_options: record.ignored_options,
  created_at: (record.completed_at ?? record.created_at).toISOString(),
});
