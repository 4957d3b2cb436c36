import type { MediaPending, TranscribeOptions } from '@mneme/contract';
import { enqueue } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Transcriber } from '../../../providers/transcription/index.ts';
import { type App, type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { type MemoryRecord, requireActiveMemory } from '../../memories/index.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import type { MediaFile } from '../store/files.ts';
import { queueTranscriptRow } from './store.ts';

export const transcribeKind = 'media.transcribe';

/**
 * Queues a transcript, also anew; the words of one that is there are found until then. Throws 400
 * for an unknown provider, one that is not configured, and a recording without sound; 404 not_found
 * where its file is lost; 409 conflict where one is being made; 503 service_unavailable where no
 * provider is configured.
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
    throw new AppError('invalid_request', { message: 'The video has no sound.' });
  }
  await requireBlob(ctx, file);
  return withTransaction(ctx, async (inTx) => {
    const spaces = visibleSpaces(inTx.actor);
    const jobId = await enqueueTranscription(inTx, id, { transcriber, options, spaces });
    if (jobId !== null) return { memory_id: id, job_id: jobId, status: 'queued' };
    throw new AppError('conflict', { message: 'A transcript is being made.' });
  });
}

/** After an upload, in its transaction; nothing where nobody can listen or there is no sound. */
export async function enqueueUploadTranscription(
  inTx: TxCtx,
  _record: MemoryRecord,
  { memory_id, details }: Pick<MediaFile, 'memory_id' | 'details'>,
): Promise<void> {
  const transcriber = findTranscriber(inTx, undefined);
  if (transcriber === undefined || details.audio === null) return;
  // The service listens to every recording: it may move to another space until then.
  await enqueueTranscription(inTx, memory_id, { transcriber, options: {}, spaces: null });
}

/** By name, or the first one that is configured. */
export const findTranscriber = (
  { transcribers }: Pick<App, 'transcribers'>,
  provider: string | undefined,
): Transcriber | undefined =>
  transcribers.find((one) => provider === undefined || one.provider === provider);

function requireTranscriber(ctx: Ctx, provider: string | undefined): Transcriber {
  const transcriber = findTranscriber(ctx, provider);
  if (transcriber) return transcriber;
  if (ctx.transcribers.length === 0) throw noTranscriberError();
  const names = ctx.transcribers.map((one) => one.provider).join(', ');
  throw new AppError('invalid_request', {
    message: `The provider ${provider} is not configured; configured: ${names}.`,
  });
}

export const noTranscriberError = (): AppError =>
  new AppError('service_unavailable', {
    message: 'No transcription provider is configured (MNEME_TRANSCRIPTION_*).',
  });

interface TranscriptionRequest {
  readonly transcriber: Transcriber;
  readonly options: TranscribeOptions;
  /** Of the key that asks; null: all. */
  readonly spaces: readonly string[] | null;
}

/** Null where one is being made. */
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
  await enqueue(tx, {
    id: jobId,
    accountId: actor.accountId,
    kind: transcribeKind,
    payload: { memory_id: memoryId },
    spaces,
    runAt: now,
  });
  return jobId;
}
