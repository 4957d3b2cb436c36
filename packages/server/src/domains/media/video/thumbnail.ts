import { type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { CpuBudget, ProgramFailed } from '../../../providers/ffmpeg/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import type { Reply } from '../../handler.ts';
import { requireMedia } from '../require-media.ts';
import { findFile, saveThumbnail } from '../store/files.ts';
import { streamBytes } from '../streaming/stream.ts';

export const thumbnailKind = 'media.thumbnail';

const pictureBytesMax = 2 * 2 ** 20;
const widthMax = 640;
const timeoutMs = 60_000;
/** Limits the CPU time to that of a file of this size. */
const allowedBytesMax = 1_250_000;
/** The first frames are often black: uses the frame at a tenth of the video, but not later. */
const secondsIntoMax = 10;

/** Throws 404 not_found until the thumbnail exists, and as requireMedia. */
export async function streamThumbnail(ctx: Ctx, memoryId: string): Promise<Reply<undefined>> {
  const { file } = await requireMedia(ctx, memoryId, 'video');
  const { thumbnail_blob: blob, thumbnail_bytes: bytes } = file;
  if (blob === null || bytes === null) {
    throw new AppError('not_found', {
      message: 'The thumbnail of this video is not available yet.',
    });
  }
  return streamBytes(ctx, { blob, bytes, type: 'image/webp', etag: `"${blob}"` }, {});
}

/** Job: creates the thumbnail of a video, if any frame can be decoded. */
export async function makeThumbnail(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  try {
    await createThumbnail(app, job);
    return undefined;
  } catch (error) {
    if (job.stopSignal.aborted) return requeueResult;
    throw error;
  }
}

async function createThumbnail(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const file = await findFile(app.engine.db, accountId, payload.memory_id as string);
  if (!file || file.thumbnail_blob !== null) return;
  await using source = await app.blobs.openLocalFile(file.blob);
  const allowance = new CpuBudget(Math.min(file.bytes, allowedBytesMax));
  const seekSeconds = Math.min((file.duration ?? 0) / 10, secondsIntoMax);
  const picture =
    (await extractFrame(app, source.path, seekSeconds, { allowance, signal: job.stopSignal })) ??
    (await extractFrame(app, source.path, 0, { allowance, signal: job.stopSignal }));
  if (picture === null) return;
  const bytesMax = pictureBytesMax;
  const stored = await app.blobs.write(singleChunk(picture), { bytesMax });
  const saved = { blob: stored.name, bytes: stored.bytes };
  const isSaved = await app.engine.transaction((tx) => saveThumbnail(tx, file, saved));
  if (!isSaved) await app.blobs.remove(stored.name);
}

/** Null if no frame can be decoded. */
async function extractFrame(
  { ffmpeg }: App,
  path: string,
  seconds: number,
  { allowance, signal }: { allowance: CpuBudget; signal: AbortSignal },
): Promise<Uint8Array | null> {
  const scaled = `scale='min(${widthMax},iw)':-2`;
  try {
    const picture = await ffmpeg.convert(path, {
      inputArgs: ['-ss', String(seconds)],
      args: [
        '-map',
        '0:V:0',
        '-frames:v',
        '1',
        '-vf',
        scaled,
        '-c:v',
        'libwebp',
        '-f',
        'image2pipe',
      ],
      timeoutMs,
      bytesMax: pictureBytesMax,
      cpuBudget: allowance,
      signal,
    });
    return picture.length === 0 ? null : picture;
  } catch (error) {
    if (error instanceof ProgramFailed) return null;
    throw error;
  }
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
