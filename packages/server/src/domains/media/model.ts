import type { MediaKind } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { FfmpegBusy, ToolMissing } from '../../providers/ffmpeg/index.ts';
import type { App } from '../ctx.ts';

/** The ETag of a file: derived from its hash, so that it is equal in every location. */
export const etagOf = (sha256: Uint8Array): string =>
  `"${Buffer.from(sha256).toString('hex').slice(0, 32)}"`;

export const isMediaKind = (type: string): type is MediaKind =>
  type === 'audio' || type === 'video';

/** How long a request waits in the FFmpeg queue. */
export const ffmpegQueueTimeoutMs = 15_000;
const retryAfterSeconds = 10;

/** Maps a missing or busy FFmpeg to 503 service_unavailable; returns other errors unchanged. */
export function toUnavailableError(error: unknown): unknown {
  if (error instanceof FfmpegBusy) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    const { message } = error;
    return new AppError('service_unavailable', { message, headers, cause: error });
  }
  if (!(error instanceof ToolMissing)) return error;
  return new AppError('service_unavailable', { message: error.message, cause: error });
}

/** Whether a media type names a recording. */
export const isRecordingType = (type: string): boolean => /^(?:audio|video)\//i.test(type);

/** Throws 503 service_unavailable with the name of the program to install. */
export async function requireFfmpeg({ ffmpeg }: Pick<App, 'ffmpeg'>): Promise<void> {
  try {
    await ffmpeg.versions();
  } catch (error) {
    if (error instanceof ToolMissing) throw toUnavailableError(error);
  }
}

/** A rejection that a retry cannot change: temporary data of the request can be deleted. */
export const isFinalRejection = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500;

/** The title of a recording: its file name without the extension. */
export const titleOf = (filename: string | null, kind: MediaKind): string => {
  const stem = filename?.replace(/\.[^.]{1,10}$/, '').trim() ?? '';
  if (stem !== '') return stem;
  return kind === 'audio' ? 'Audio recording' : 'Video recording';
};
