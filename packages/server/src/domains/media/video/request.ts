import type { MediaPending, VideoInterpretation } from '@mneme/contract';
import { enqueue } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireActiveMemory } from '../../memories/index.ts';
import { requireBlob, requireMedia } from '../require-media.ts';
import { segmentsOfRun } from '../segments/store.ts';
import { throwUnavailable } from '../transcripts/read.ts';
import { findInterpretation, queueInterpretationRow } from './store.ts';

export const interpretKind = 'media.interpret';

/**
 * Queues an interpretation, also anew. Throws 400 where it is no video, 404 not_found where its
 * file is lost, 409 conflict where one is being made, 503 service_unavailable where nothing can
 * see.
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
      throw new AppError('conflict', { message: 'An interpretation is being made.' });
    }
    await enqueue(tx, {
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
    message: 'Nothing that can see is configured (MNEME_VISION_*).',
  });

/**
 * What key frames show, as it was before where looking anew has failed; 202 while they are looked
 * at. Throws 503 where that failed, 404 not_found where its file is lost, or where it was never
 * asked for.
 */
export async function readInterpretation(
  ctx: Ctx,
  id: string,
): Promise<VideoInterpretation | Reply<VideoInterpretation | MediaPending>> {
  const { file } = await requireMedia(ctx, id, 'video');
  const { db } = ctx.engine;
  const record = await findInterpretation(db, ctx.actor.accountId, id);
  if (!record) {
    throw new AppError('not_found', { message: 'No interpretation of it was asked for.' });
  }
  const { status, job_id, shown_attempt } = record;
  if (status === 'queued' || status === 'processing') {
    const pending = { memory_id: id, job_id, status };
    return new Reply<VideoInterpretation | MediaPending>(pending, { status: 202 });
  }
  if (shown_attempt === null)
    return throwUnavailable(ctx, file, 'The interpretation', record.error);
  const place = { accountId: ctx.actor.accountId, memoryId: id, modality: 'frame' as const };
  const frames = await segmentsOfRun(db, place, shown_attempt);
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
