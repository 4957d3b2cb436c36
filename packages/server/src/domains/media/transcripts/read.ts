import type { MediaPending, Transcript } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import { type SegmentRecord, segmentsOfRun } from '../segments/store.ts';
import type { MediaFile } from '../store/files.ts';
import { noTranscriberError } from './request.ts';
import { findTranscript, type TranscriptRecord } from './store.ts';

/**
 * What was said, as it was before where listening anew has failed; 202 while it is being made.
 * Throws 503 where it failed, and where nobody can listen; 404 not_found where its file is lost, or
 * it was never asked for.
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
    throw new AppError('not_found', { message: 'No transcript of it was asked for.' });
  }
  const { status, job_id, shown_attempt } = record;
  if (status === 'queued' || status === 'processing') {
    return new Reply<Transcript | MediaPending>({ memory_id: id, job_id, status }, { status: 202 });
  }
  if (shown_attempt === null) return throwUnavailable(ctx, file, 'The transcript', record.error);
  const place = { accountId, memoryId: id, modality: 'speech' as const };
  return presentTranscript(record, await segmentsOfRun(ctx.engine.db, place, shown_attempt));
}

/** Throws 503 with the reason, since it may be asked for again; 404 not_found as requireBytes. */
export async function throwUnavailable(
  ctx: Ctx,
  file: MediaFile,
  what: string,
  reason: string | null,
): Promise<never> {
  await requireBlob(ctx, file);
  throw new AppError('service_unavailable', {
    message: `${what} could not be made: ${reason ?? 'unknown'}. It may be asked for again.`,
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
