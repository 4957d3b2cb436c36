import { AppError } from '../../../kernel/errors.ts';
import { contentDisposition } from '../../../kernel/filename.ts';
import { readBlobChunks } from '../../blobs/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { etagOf } from '../model.ts';
import { requireMedia } from '../require-media.ts';
import type { MediaFile } from '../store/files.ts';
import { parseRange } from './range.ts';

/** Bytes as they are played. */
export interface StreamableFile {
  readonly blob: string;
  readonly bytes: number;
  readonly type: string;
  readonly etag: string;
  /** What it is called where it is saved; none: as its address. */
  readonly filename?: string | null;
}

export interface StreamHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * All of the bytes, or the range that is asked for; conditions in the order of RFC 9110, 13.2.2.
 * Throws 412 precondition_failed, and 416 for a range that begins after the bytes.
 */
export function streamBytes(
  app: Pick<App, 'blobs'>,
  { blob, bytes, type, etag, filename = null }: StreamableFile,
  headers: StreamHeaders,
): Reply<undefined> {
  if (!matchesIfMatch(headers['if-match'], etag)) throw new AppError('precondition_failed');
  const told = {
    'content-type': type,
    'accept-ranges': 'bytes',
    ...(filename === null ? {} : { 'content-disposition': contentDisposition('inline', filename) }),
    etag,
    'cache-control': 'private, no-cache',
    // Played in pages of other origins too, by whoever has the right to the address.
    'cross-origin-resource-policy': 'cross-origin',
  };
  // Who has these very bytes is sent none of them, and no range is looked at.
  const isKnown = matchesIfNoneMatch(headers['if-none-match'], etag);
  // Of other bytes than the caller knows, the range would be nonsense.
  const isSame = headers['if-range'] === undefined || headers['if-range'].trim() === etag;
  const range = isSame && !isKnown ? parseRange(headers.range, bytes) : null;
  if (range === 'unsatisfiable') {
    const unsatisfied = { 'content-range': `bytes */${bytes}` };
    const message = `The range is outside of the ${bytes} bytes.`;
    throw new AppError('invalid_request', { status: 416, message, headers: unsatisfied });
  }
  if (range === null) {
    const whole = { ...told, 'content-length': String(bytes) };
    return new Reply<undefined>(readBlobChunks(app, blob), { headers: whole });
  }
  const { start, end } = range;
  const part = {
    ...told,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes}`,
  };
  return new Reply<undefined>(readBlobChunks(app, blob, range), { status: 206, headers: part });
}

const parseEtags = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** If-Match: by strong comparison. */
const matchesIfMatch = (header: string | undefined, etag: string): boolean =>
  header === undefined || parseEtags(header).some((tag) => tag === '*' || tag === etag);

/** If-None-Match: by weak comparison. */
const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  parseEtags(header ?? '').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** A recording of any kind, or a video alone. Throws as knownMedia, and 416. */
export async function streamMedia(
  ctx: Ctx,
  memoryId: string,
  headers: StreamHeaders,
  wanted: 'any' | 'video',
): Promise<Reply<undefined>> {
  const { file } = await requireMedia(ctx, memoryId, wanted);
  return streamFile(ctx, file, headers);
}

/** Throws 416. */
export function streamFile(
  app: Pick<App, 'blobs'>,
  { blob, bytes, mime_type: type, sha256, filename }: MediaFile,
  headers: StreamHeaders,
): Reply<undefined> {
  return streamBytes(app, { blob, bytes, type, etag: etagOf(sha256), filename }, headers);
}
