import { AppError } from '../../../kernel/errors.ts';
import { contentDisposition } from '../../../kernel/filename.ts';
import { readBlobChunks } from '../../blobs/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { etagOf } from '../model.ts';
import { requireMedia } from '../require-media.ts';
import type { MediaFile } from '../store/files.ts';
import { parseRange } from './range.ts';

/** A blob with the headers that describe it. */
export interface StreamableFile {
  readonly blob: string;
  readonly bytes: number;
  readonly type: string;
  readonly etag: string;
  /** The name for saving; null: browsers derive one from the URL. */
  readonly filename?: string | null;
}

export interface RangeRequestHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * Responds with the whole file or the requested range; evaluates conditions in the order of RFC
 * 9110, 13.2.2. Throws 412 precondition_failed; 416 for a range that begins after the last byte.
 */
export function streamBytes(
  app: Pick<App, 'blobs'>,
  { blob, bytes, type, etag, filename = null }: StreamableFile,
  headers: RangeRequestHeaders,
): Reply<undefined> {
  if (!matchesIfMatch(headers['if-match'], etag)) throw new AppError('precondition_failed');
  const commonHeaders = {
    'content-type': type,
    'accept-ranges': 'bytes',
    ...(filename === null ? {} : { 'content-disposition': contentDisposition('inline', filename) }),
    etag,
    'cache-control': 'private, no-cache',
    // Pages of other origins can embed the media: the URL itself authorizes the request.
    'cross-origin-resource-policy': 'cross-origin',
  };
  // With If-None-Match, the response is 304 and the range is ignored.
  const isNotModified = matchesIfNoneMatch(headers['if-none-match'], etag);
  // The client has a range of another version of the file: send the whole file.
  const isRangeValid = headers['if-range'] === undefined || headers['if-range'].trim() === etag;
  const range = isRangeValid && !isNotModified ? parseRange(headers.range, bytes) : null;
  if (range === 'unsatisfiable') {
    const unsatisfied = { 'content-range': `bytes */${bytes}` };
    const message = `The range begins after the end of the file, which has ${bytes} bytes.`;
    throw new AppError('invalid_request', { status: 416, message, headers: unsatisfied });
  }
  if (range === null) {
    const whole = { ...commonHeaders, 'content-length': String(bytes) };
    return new Reply<undefined>(readBlobChunks(app, blob), { headers: whole });
  }
  const { start, end } = range;
  const part = {
    ...commonHeaders,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes}`,
  };
  return new Reply<undefined>(readBlobChunks(app, blob, range), { status: 206, headers: part });
}

const parseEtags = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** If-Match uses strong comparison. */
const matchesIfMatch = (header: string | undefined, etag: string): boolean =>
  header === undefined || parseEtags(header).some((tag) => tag === '*' || tag === etag);

/** If-None-Match uses weak comparison. */
const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  parseEtags(header ?? '').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** Streams a recording. Throws as requireMedia and streamBytes. */
export async function streamMedia(
  ctx: Ctx,
  memoryId: string,
  headers: RangeRequestHeaders,
  wanted: 'any' | 'video',
): Promise<Reply<undefined>> {
  const { file } = await requireMedia(ctx, memoryId, wanted);
  return streamFile(ctx, file, headers);
}

/** Throws as streamBytes. */
export function streamFile(
  app: Pick<App, 'blobs'>,
  { blob, bytes, mime_type: type, sha256, filename }: MediaFile,
  headers: RangeRequestHeaders,
): Reply<undefined> {
  return streamBytes(app, { blob, bytes, type, etag: etagOf(sha256), filename }, headers);
}
