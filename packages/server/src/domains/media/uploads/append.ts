import type { routes, ValidatedRequest } from '@mneme/contract';
import { releaseLease, renewLease } from '../../../database/index.ts';
import { AppError, headerError } from '../../../kernel/errors.ts';
import { LeaseRenewal } from '../../../kernel/lease.ts';
import { isBlobNotFound, type StoredBlob } from '../../../providers/blobs/index.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { Reply, type RequestMeta } from '../../handler.ts';
import { isFinalRejection } from '../model.ts';
import {
  acquireUploadLease,
  deleteUpload,
  findUpload,
  leasedUpload,
  markUploadCompleted,
  partsOfUpload,
  type UploadResult,
  type UploadRow,
} from '../store/uploads.ts';
import { createMemoryFromFile } from './create-from-file.ts';
import { fileTooLargeError } from './form.ts';
import { parseUploadFields } from './metadata.ts';
import { PartReader } from './part-reader.ts';
import { concurrentRequestError, leaseExpiry, receiveUploadBytes } from './receive.ts';
import { releaseBuffers } from './release-buffers.ts';
import {
  canCompleteUpload,
  isFinalUpload,
  requireUpload,
  uploadLengthOf,
  uploadProgressHeaders,
} from './resumable.ts';

const renewMs = 20_000;

/**
 * Appends bytes at the upload's offset; the last bytes create the memory. Throws 404 not_found; 403
 * for a final upload; 409 conflict for a wrong offset or if another request has resumed the upload;
 * 413; 460 checksum_mismatch; and as createMemoryFromFile.
 */
export async function appendUpload(
  ctx: Ctx,
  id: string,
  headers: ValidatedRequest<typeof routes.media.appendUpload>['headers'],
  { bodyStream, contentLength }: Pick<RequestMeta, 'bodyStream' | 'contentLength'>,
): Promise<Reply<undefined>> {
  const upload = await requireUpload(ctx, id);
  if (isFinalUpload(upload)) {
    const message = 'A final upload accepts no bytes: it consists of its parts.';
    throw new AppError('invalid_request', { status: 403, message });
  }
  const length = resolveLength(ctx, upload, headers['upload-length']);
  const offset = headers['upload-offset'];
  const isNext = offset === Number(upload.received);
  const bytesMax = length ?? ctx.config.media.uploadBytesMax;
  if (isNext && offset + (contentLength ?? 0) > bytesMax) throw fileTooLargeError(bytesMax);
  const checksum = headers['upload-checksum'];
  const parts = new PartReader(releaseBuffers(bodyStream));
  const updated = await receiveUploadParts(ctx, upload, { offset, length, checksum }, parts);
  return new Reply<undefined>(undefined, { status: 204, headers: uploadProgressHeaders(updated) });
}

/** Throws 400 invalid_request if the length changes or is less than the received bytes; 413. */
function resolveLength(ctx: Ctx, upload: UploadRow, sent: number | undefined): number | null {
  const before = uploadLengthOf(upload);
  if (sent === undefined || sent === before) return before;
  const bytesMax = ctx.config.media.uploadBytesMax;
  if (before === null && sent > bytesMax) throw fileTooLargeError(bytesMax);
  if (before === null && sent >= Number(upload.received)) return sent;
  const message =
    before === null ? `must be at least ${upload.received}` : `is ${before} and cannot be changed`;
  throw headerError({ 'upload-length': { code: 'invalid_range', message } });
}

interface PartRequest {
  readonly offset: number;
  readonly length: number | null;
  readonly checksum: string | undefined;
}

/** Returns the updated upload. Throws as appendUpload. */
export async function receiveUploadParts(
  ctx: Ctx,
  upload: UploadRow,
  { offset, length, checksum }: PartRequest,
  parts: PartReader,
): Promise<UploadRow> {
  const holder = ctx.ids.uuid();
  try {
    const row = await acquireUpload(ctx, upload, holder);
    if (Number(row.received) !== offset) {
      const message = `The offset of the upload is ${row.received}, not ${offset}.`;
      throw new AppError('conflict', { message, details: { offset: Number(row.received) } });
    }
    const receiving = { holder, length: uploadLengthOf(row) ?? length, checksum };
    const received = await receiveUploadBytes(ctx, row, receiving, parts);
    return canCompleteUpload(received)
      ? { ...received, ...(await finaliseUpload(ctx, received, holder)) }
      : received;
  } catch (error) {
    throw await withOffset(ctx, upload, error);
  } finally {
    await parts.close();
    await releaseLease(ctx.engine.db, leasedUpload(upload), holder);
  }
}

/** Adds Upload-Offset to a 409, so that the client can resume at the current offset. */
async function withOffset(ctx: Ctx, upload: UploadRow, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'conflict') return error;
  const current = await findUpload(ctx.engine.db, upload.account_id, upload.id);
  if (current === undefined) return error;
  const { message, details } = error;
  const headers = { ...error.headers, 'upload-offset': String(current.received) };
  return new AppError('conflict', { message, headers, ...(details ? { details } : {}) });
}

/** Throws 409 conflict, 404 not_found. */
export async function acquireUpload(
  ctx: Ctx,
  upload: UploadRow,
  holder: string,
): Promise<UploadRow> {
  const now = ctx.clock.now();
  const until = canCompleteUpload(upload) ? leaseExpiry(now) : null;
  const row = await acquireUploadLease(ctx.engine.db, upload, { holder, now, until });
  if (row) return row;
  const exists = await findUpload(ctx.engine.db, upload.account_id, upload.id);
  if (!exists) throw new AppError('not_found');
  throw new AppError('conflict', { message: 'The upload is being completed by another request.' });
}

/**
 * Assembles the parts and creates the memory. Returns the existing memory if the upload is already
 * complete or its content is already stored. A final rejection removes the upload with its parts.
 * Throws as createMemoryFromFile, and 409 conflict if another request has claimed the upload.
 */
export async function finaliseUpload(
  ctx: Ctx,
  row: UploadRow,
  holder: string,
): Promise<UploadResult> {
  const { memory_id, is_duplicate } = row;
  if (memory_id !== null) return { memory_id, is_duplicate };
  await using _renewal = startRenewal(ctx, row, holder);
  try {
    const file = { ...(await assembleParts(ctx, row)), filename: row.filename };
    let result: UploadResult = { memory_id: '', is_duplicate: false };
    await createMemoryFromFile(ctx, parseUploadFields(row.fields), file, async (inTx, record) => {
      result = { memory_id: record.id, is_duplicate: false };
      const parts = await markUploadCompleted(inTx.tx, row, holder, result);
      if (parts === null) throw concurrentRequestError();
      await scheduleBlobRemoval(inTx, parts);
    });
    return result;
  } catch (error) {
    const current = await findUpload(ctx.engine.db, row.account_id, row.id);
    if (current?.memory_id)
      return { memory_id: current.memory_id, is_duplicate: current.is_duplicate };
    if (error instanceof AppError && error.code === 'duplicate_memory') {
      return completeAsDuplicate(ctx, row, holder, error);
    }
    // A retry can succeed once FFmpeg is available or the monthly quota is reset.
    if (isFinalRejection(error) && error.status !== 429) await discardUpload(ctx, row, holder);
    throw error;
  }
}

/** tus clients cannot handle a duplicate error: the upload refers to the existing memory. */
async function completeAsDuplicate(
  ctx: Ctx,
  row: UploadRow,
  holder: string,
  error: AppError,
): Promise<UploadResult> {
  const memoryId = error.details?.memory_id;
  // The id is unknown if the other memory was stored concurrently; a retry finds it.
  if (typeof memoryId !== 'string') throw new AppError('service_unavailable', { cause: error });
  const result = { memory_id: memoryId, is_duplicate: true };
  return withTransaction(ctx, async (inTx) => {
    const parts = await markUploadCompleted(inTx.tx, row, holder, result);
    if (parts === null) throw concurrentRequestError();
    await scheduleBlobRemoval(inTx, parts);
    return result;
  });
}

/** Throws 409 conflict if the upload was removed in the meantime. */
async function assembleParts(ctx: Ctx, row: UploadRow): Promise<StoredBlob> {
  const parts = await partsOfUpload(ctx.engine.db, row);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    for (const { blob } of parts) yield* ctx.blobs.read(blob);
  };
  try {
    return await ctx.blobs.write(whole(), { bytesMax: Number(row.length) });
  } catch (error) {
    const isGone =
      isBlobNotFound(error) && !(await findUpload(ctx.engine.db, row.account_id, row.id));
    throw isGone ? concurrentRequestError() : error;
  }
}

/** Large files take longer than a lease. A lost lease is detected when the upload is completed. */
const startRenewal = ({ clock, engine, log }: Ctx, row: UploadRow, holder: string): LeaseRenewal =>
  new LeaseRenewal(clock, {
    intervalMs: renewMs,
    renew: async () => {
      const lease = { holder, until: leaseExpiry(clock.now()) };
      await renewLease(engine.db, leasedUpload(row), lease);
    },
    onError: (error) => log.warn({ err: error }, 'upload lease renewal failed'),
  });

/** @param holder if set, removes the upload only while this holder has the lease */
export const discardUpload = (
  ctx: Ctx,
  row: Pick<UploadRow, 'account_id' | 'id'>,
  holder?: string,
): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await scheduleBlobRemoval(inTx, (await deleteUpload(inTx.tx, row, holder)) ?? []);
  });
