import type { VideoMetadata } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { requireMedia } from '../require-media.ts';

/** Throws as requireMedia. */
export async function getMediaMetadata(
  ctx: Ctx,
  memoryId: string,
  wanted: 'any' | 'video',
): Promise<VideoMetadata> {
  const { file } = await requireMedia(ctx, memoryId, wanted);
  const { video, audio, format } = file.details;
  return {
    filename: file.filename,
    mime_type: file.mime_type,
    file_size: file.bytes,
    duration: file.duration,
    video,
    audio,
    format,
  };
}
