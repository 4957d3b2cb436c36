import type { MediaPending, Transcript } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import { type SegmentRecord, segmentsOfRun } from '../segments/store/segments.ts';
import type { MediaFile } from '../store/files.ts';
import { noTranscriberError } from './request.ts';
import { findTranscript, type TranscriptRecord } from './store/transcripts.ts';

/**
 * Returns the transcript; the previous one if a later transcription has failed. Status 202 while a
 * transcription is queued or running. Throws 503 if it failed or no provider is configured; 404
 * not_found if the file is missing or no transcript was requested.
 */
export async function readTranscript(
  ctx: Ctx,
  id: string,
  kind: 'any' | 'video',
): Promise<Transcript | Reply<Transcript | MediaPending>> {
  const { file } = await requireMedia(ctx, id, kind);
  const { accountId } = ctx.actor;
  const record = await findTranscript(ctx.engine.db, accountId, id);
  if (!record) {
    if (ctx.transcribers.length === 0) throw noTranscriberError();
    throw new AppError('not_found', {
      message: 'No transcript of this recording was requested. Request one first.',
    });
  }
  const { status, job_id, completed_attempt } = record;
  if (status === 'queued' || status === 'processing') {
    return new Reply<Transcript | MediaPending>({ memory_id: id, job_id, status }, { status: 202 });
  }
  if (completed_attempt === null)
    return throwResultUnavailable(ctx, file, 'The transcription', record.error);
  const owner = { accountId, memoryId: id, modality: 'speech' as const };
  return presentTranscript(record, await segmentsOfRun(ctx.engine.db, owner, completed_attempt));
}

/** Throws 503 with the reason, since a new request may succeed; 404 not_found as requireBlob. */
export async function throwResultUnavailable(
  ctx: Ctx,
  file: MediaFile,
  what: string,
  reason: string | null,
): Promise<never> {
  await requireBlob(ctx, file);
  throw new AppError('service_unavailable', {
    message: `${what} failed: ${reason ?? 'unknown'}. Request it again to retry.`,
    details: { reason },
  });
}

const presentTranscript = (
  record: TranscriptRecord,
  segments: readonly SegmentRecord[],
): Transcript => ({
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
