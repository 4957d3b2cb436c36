import { createReadStream } from 'node:fs';
import path from 'node:path';
import { limits, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { perApp } from '../../../kernel/per-app.ts';
import { ProgramFailed } from '../../../providers/ffmpeg/index.ts';
import { requireActiveAccount } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import type { Reply } from '../../handler.ts';
import { ffmpegQueueTimeoutMs, toUnavailableError } from '../model.ts';
import { createScratchFolder } from '../scratch.ts';
import { type Clip, findClip, insertClip } from '../store/clips.ts';
import { findFileByMemoryId, type MediaFile } from '../store/files.ts';
import { type RangeRequestHeaders, streamBytes, streamFile } from '../streaming/stream.ts';
import { isValidClipLink } from './link.ts';

const clipBytesMax = 128 * 2 ** 20;
const timeoutMs = 120_000;

/**
 * Streams a recording, or a clip of it, for a signed link. Throws 403 insufficient_permissions if
 * the link is expired or invalid or the account is suspended; 404 not_found; 416; 422; 503
 * service_unavailable if FFmpeg is missing or busy.
 */
export async function streamClip(
  app: App,
  memoryId: string,
  query: ValidatedRequest<typeof routes.media.clip>['query'],
  headers: RangeRequestHeaders,
): Promise<Reply<undefined>> {
  if (!isValidClipLink(app, memoryId, query)) {
    const message = 'The link is expired or invalid. Request a new link.';
    throw new AppError('insufficient_permissions', { message });
  }
  const file = await findFileByMemoryId(app.engine.db, memoryId);
  if (!file) throw new AppError('not_found');
  await requireActiveAccount(app.engine.db, file.account_id);
  const { start, end } = query;
  if (start === undefined || end === undefined) return streamFile(app, file, headers);
  const { start_ms, end_ms } = boundsOf(start, end, file);
  const key = { account_id: file.account_id, memory_id: file.memory_id, start_ms, end_ms };
  const clip = (await findClip(app.engine.db, key)) ?? (await cutOnce(app, file, key));
  const type = `${file.kind}/mp4`;
  return streamBytes(
    app,
    { blob: clip.blob, bytes: clip.bytes, type, etag: `"${clip.blob}"` },
    headers,
  );
}

type ClipKey = Pick<Clip, 'account_id' | 'memory_id' | 'start_ms' | 'end_ms'>;

/** Whole milliseconds, limited to the recording and `clipSecondsMax`. Throws 404 not_found. */
function boundsOf(start: number, end: number, { duration }: MediaFile) {
  const last = Math.min(end, duration ?? end, start + limits.clipSecondsMax);
  const [start_ms, end_ms] = [Math.round(start * 1_000), Math.round(last * 1_000)];
  if (end_ms > start_ms) return { start_ms, end_ms };
  throw new AppError('not_found', { message: 'The time range is outside the recording.' });
}

/** Clips that this process is cutting. Requests for the same clip share one promise. */
const cutsInProgress = perApp<App, Map<string, Promise<Clip>>>(() => new Map());

/** Aborted when the app closes, so that no FFmpeg process outlives it. */
const shutdownSignal = perApp<App, AbortSignal>(({ disposables }) => {
  const abort = new AbortController();
  disposables.defer(() => abort.abort());
  return abort.signal;
});

async function cutOnce(app: App, file: MediaFile, key: ClipKey): Promise<Clip> {
  const inProgress = cutsInProgress.of(app);
  const name = Object.values(key).join(' ');
  const running = inProgress.get(name);
  if (running !== undefined) return running;
  const cutting = cutClip(app, file, key).finally(() => inProgress.delete(name));
  inProgress.set(name, cutting);
  return cutting;
}

async function cutClip(app: App, file: MediaFile, key: ClipKey): Promise<Clip> {
  await using folder = await createScratchFolder(app);
  try {
    const outputFile = path.join(folder.path, 'clip.mp4');
    await using source = await app.blobs.openLocalFile(file.blob);
    const [from, seconds] = [key.start_ms / 1_000, (key.end_ms - key.start_ms) / 1_000];
    await app.ffmpeg.convert(source.path, {
      inputArgs: ['-ss', String(from)],
      args: [...codecsOf(file), '-t', String(seconds), '-movflags', '+faststart', '-f', 'mp4'],
      outputFile,
      timeoutMs,
      queueTimeoutMs: ffmpegQueueTimeoutMs,
      bytesMax: clipBytesMax,
      signal: shutdownSignal.of(app),
    });
    const stored = await app.blobs.write(createReadStream(outputFile), { bytesMax: clipBytesMax });
    const clip = { ...key, blob: stored.name, bytes: stored.bytes, created_at: app.clock.now() };
    if (await app.engine.transaction((tx) => insertClip(tx, clip))) return clip;
    // Another process stored the same clip first, or the recording was deleted.
    await app.blobs.remove(stored.name);
    const existing = await findClip(app.engine.db, key);
    if (!existing) throw new AppError('not_found');
    return existing;
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw toUnavailableError(error);
    const message = 'The clip could not be created from the recording.';
    throw new AppError('service_unavailable', { message, cause: error });
  }
}

/** AAC and H.264 of a moderate size: all browsers play them. */
const codecsOf = ({ kind }: MediaFile): string[] => [
  ...['-map', '0:a:0?', '-c:a', 'aac', '-b:a', '96k', '-sn', '-dn'],
  ...(kind === 'audio'
    ? ['-vn']
    : [
        ...['-map', '0:V:0', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'],
        ...['-vf', "scale='min(640,iw)':-2"],
      ]),
];
