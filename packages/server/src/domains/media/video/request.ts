import type { MediaPending, VideoInterpretation } from '@mneme/contract';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireActiveMemory } from '../../memories/index.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import { segmentsOfRun } from '../segments/store/segments.ts';
import { throwResultUnavailable } from '../transcripts/read.ts';
import { findInterpretation, queueInterpretationRow } from './store/interpretations.ts';

export const interpretKind = 'media.interpret';

/**
 * Queues an interpretation; an existing one stays until the new one replaces it. Throws 400 if the
 * memory is not a video, 404 not_found if the file is missing, 409 conflict if an interpretation is
 * in progress, 503 service_unavailable if no vision provider is configured.
 */
export async function requestInterpretation(ctx: Ctx, id: string): Promise<MediaPending> {
  const { record, file } = await requireMedia(ctx, id, 'video');
  requireActiveMemory(record);
  const { vision } = ctx;
  if (vision === null) throw noVisionError();
  await requireBlob(ctx, file);
  return withTransaction(ctx, async ({ tx, ids, clock, actor }) => {
    const jobId = ids.uuid();
    const now = clock.now();
    const isQueued = await queueInterpretationRow(tx, {
      account_id: actor.accountId,
      memory_id: id,
      job_id: jobId,
      model: vision.model,
      created_at: now,
    });
    if (!isQueued) {
      throw new AppError('conflict', {
        message: 'An interpretation of this video is already in progress.',
      });
    }
    await enqueueJob(tx, {
      id: jobId,
      accountId: actor.accountId,
      kind: interpretKind,
      payload: { memory_id: id },
      spaces: visibleSpaces(actor),
      runAt: now,
    });
    return { memory_id: id, job_id: jobId, status: 'queued' };
  });
}

const noVisionError = (): AppError =>
  new AppError('service_unavailable', {
    message: 'No vision provider is configured (MNEME_VISION_*).',
  });

/**
 * Returns the descriptions of the key frames; the previous ones if a later interpretation has
 * failed. Status 202 while an interpretation is queued or running. Throws 503 if it failed; 404
 * not_found if the file is missing or no interpretation was requested.
 */
export async function readInterpretation(
  ctx: Ctx,
  id: string,
): Promise<VideoInterpretation | Reply<VideoInterpretation | MediaPending>> {
  const { file } = await requireMedia(ctx, id, 'video');
  const { db } = ctx.engine;
  const record = await findInterpretation(db, ctx.actor.accountId, id);
  if (!record) {
    throw new AppError('not_found', {
      message: 'No interpretation of this video was requested. Request one first.',
    });
  }
  const { status, job_id, completed_attempt } = record;
  if (status === 'queued' || status === 'processing') {
    const pending = { memory_id: id, job_id, status };
    return new Reply<VideoInterpretation | MediaPending>(pending, { status: 202 });
  }
  if (completed_attempt === null)
    return throwResultUnavailable(ctx, file, 'The interpretation', record.error);
  const owner = { accountId: ctx.actor.accountId, memoryId: id, modality: 'frame' as const };
  const frames = await segmentsOfRun(db, owner, completed_attempt);
  return {
    memory_id: id,
    model: record.model,
    frames: frames.map(({ start_time, text, labels }) => ({
      time: start_time,
      description: text,
      labels: labels ?? [],
    })),
    summary: record.summary ?? '',
    created_at: (record.completed_at ?? record.created_at).toISOString(),
  };
}
