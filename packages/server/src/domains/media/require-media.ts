import { AppError } from '../../kernel/errors.ts';
import { fileNotFoundError } from '../blobs/index.ts';
import { type App, type Ctx, requireMemoryAccess } from '../ctx.ts';
import { findMemory, type MemoryRecord } from '../memories/index.ts';
import { isMediaKind } from './model.ts';
import { findFile, type MediaFile } from './store/files.ts';

/**
 * Returns a recording and its file. Throws 404 memory_not_found, also for another user's; 403
 * space_access_denied; 400 invalid_request if the memory is not a recording (or not a video, if
 * `wanted` is `video`); 404 not_found if it has no file.
 */
export async function requireMedia(
  ctx: Ctx,
  memoryId: string,
  wanted: 'any' | 'video' = 'any',
): Promise<{ record: MemoryRecord; file: MediaFile }> {
  const { accountId } = ctx.actor;
  const record = await findMemory(ctx, memoryId);
  if (!record) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, record);
  const type = record.content_type;
  if (!isMediaKind(type) || (wanted === 'video' && type !== 'video')) {
    const what = wanted === 'video' ? 'a video' : 'an audio or video file';
    throw new AppError('invalid_request', { message: `The memory is not ${what}.` });
  }
  const file = await findFile(ctx.engine.db, accountId, memoryId);
  if (!file) throw new AppError('not_found', { message: 'The memory has no media file.' });
  return { record, file };
}

/** Throws 404 not_found if the blob of a recording is missing, and BlobStoreUnavailable. */
export async function requireBlob(
  { blobs }: Pick<App, 'blobs'>,
  { blob }: Pick<MediaFile, 'blob'>,
): Promise<void> {
  if ((await blobs.size(blob)) === null) throw fileNotFoundError();
}
