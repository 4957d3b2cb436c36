import type { VideoMetadata } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { knownMedia } from '../known.ts';

/** Throws as knownMedia. */
export async function videoMetadata(ctx: Ctx, memoryId: string): Promise<VideoMetadata> {
  const { file } = await knownMedia(ctx, memoryId, 'video');
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
