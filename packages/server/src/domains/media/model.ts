import type { MediaKind } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { FfmpegBusy, ToolMissing } from '../../providers/ffmpeg/index.ts';
import type { App } from '../ctx.ts';

/** The ETag of bytes: their hash, so that the same bytes are the same wherever they stand. */
export const etagOf = (sha256: Uint8Array): string =>
  `"${Buffer.from(sha256).toString('hex').slice(0, 32)}"`;

export const isMediaKind = (type: string): type is MediaKind =>
  type === 'audio' || type === 'video';

/** Who waits for an answer waits so long for FFmpeg's turn. */
export const ffmpegQueueTimeoutMs = 15_000;
const retryAfterSeconds = 10;

/** What whoever asks is told where FFmpeg is not installed or has no turn; other errors as is. */
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

/** Throws 503 service_unavailable, which says what to install. */
export async function requireFfmpeg({ ffmpeg }: Pick<App, 'ffmpeg'>): Promise<void> {
  try {
    await ffmpeg.versions();
  } catch (error) {
    if (error instanceof ToolMissing) throw toUnavailableError(error);
  }
}

/** Nothing was stored, and nothing will be: what was kept for it may go. */
export const isFinalRejection = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500;

/** A name without its ending, for a title. */
export const titleOf = (filename: string | null, kind: MediaKind): string => {
  const stem = filename?.replace(/\.[^.]{1,10}$/, '').trim() ?? '';
  if (stem !== '') return stem;
  return kind === 'audio' ? 'Audio recording' : 'Video recording';
};
