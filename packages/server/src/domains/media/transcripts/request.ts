import type { MediaPending, TranscribeOptions } from '@mneme/contract';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Transcriber } from '../../../providers/transcription/index.ts';
import { type App, type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { type MemoryRecord, requireActiveMemory } from '../../memories/index.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import type { MediaFile } from '../store/files.ts';
import { queueTranscriptRow } from './store/transcripts.ts';

export const transcribeKind = 'media.transcribe';

/**
 * Queues a transcription. An existing transcript stays searchable until the new one replaces it.
 * Throws 400 if the provider is unknown or not configured or the recording has no audio; 404
 * not_found if the file is missing; 409 conflict if a transcription is in progress; 503
 * service_unavailable if no provider is configured.
 */
export async function requestTranscription(
  ctx: Ctx,
  id: string,
  options: TranscribeOptions,
  kind: 'any' | 'video',
): Promise<MediaPending> {
  const { record, file } = await requireMedia(ctx, id, kind);
  requireActiveMemory(record);
  const transcriber = requireTranscriber(ctx, options.provider);
  if (file.details.audio === null) {
    throw new AppError('invalid_request', { message: 'The video has no audio track.' });
  }
  await requireBlob(ctx, file);
  return withTransaction(ctx, async (inTx) => {
    const spaces = visibleSpaces(inTx.actor);
    const jobId = await enqueueTranscription(inTx, id, { transcriber, options, spaces });
    if (jobId !== null) return { memory_id: id, job_id: jobId, status: 'queued' };
    throw new AppError('conflict', {
      message: 'A transcription of this recording is already in progress.',
    });
  });
}

/** Runs in the transaction of an upload. Does nothing without a provider or an audio track. */
export async function enqueueUploadTranscription(
  inTx: TxCtx,
  _record: MemoryRecord,
  { memory_id, details }: Pick<MediaFile, 'memory_id' | 'details'>,
): Promise<void> {
  const transcriber = findTranscriber(inTx, undefined);
  if (transcriber === undefined || details.audio === null) return;
  // No space restriction: every upload is transcribed, even if it moves to another space first.
  await enqueueTranscription(inTx, memory_id, { transcriber, options: {}, spaces: null });
}

/** Without a name, the first configured provider. */
export const findTranscriber = (
  { transcribers }: Pick<App, 'transcribers'>,
  provider: string | undefined,
): Transcriber | undefined =>
  transcribers.find((transcriber) => provider === undefined || transcriber.provider === provider);

function requireTranscriber(ctx: Ctx, provider: string | undefined): Transcriber {
  const transcriber = findTranscriber(ctx, provider);
  if (transcriber) return transcriber;
  if (ctx.transcribers.length === 0) throw noTranscriberError();
  const names = ctx.transcribers.map((transcriber) => transcriber.provider).join(', ');
  throw new AppError('invalid_request', {
    message: `The transcription provider ${provider} is not configured. Configured: ${names}.`,
  });
}

export const noTranscriberError = (): AppError =>
  new AppError('service_unavailable', {
    message: 'No transcription provider is configured (MNEME_TRANSCRIPTION_*).',
  });

interface TranscriptionRequest {
  readonly transcriber: Transcriber;
  readonly options: TranscribeOptions;
  /** The spaces of the API key that requests it; null: all. */
  readonly spaces: readonly string[] | null;
}

/** Returns the id of the job; null if a transcription is in progress. */
async function enqueueTranscription(
  { tx, ids, clock, actor }: TxCtx,
  memoryId: string,
  { transcriber, options, spaces }: TranscriptionRequest,
): Promise<string | null> {
  const now = clock.now();
  const jobId = ids.uuid();
  const isQueued = await queueTranscriptRow(tx, {
    account_id: actor.accountId,
    memory_id: memoryId,
    job_id: jobId,
    options,
    provider: transcriber.provider,
    created_at: now,
  });
  if (!isQueued) return null;
  await enqueueJob(tx, {
    id: jobId,
    accountId: actor.accountId,
    kind: transcribeKind,
    payload: { memory_id: memoryId },
    spaces,
    runAt: now,
  });
  return jobId;
}
