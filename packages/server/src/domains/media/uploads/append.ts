import type { routes, ValidatedRequest } from '@mneme/contract';
import { AppError, headerError } from '../../../kernel/errors.ts';
import { isBlobNotFound, type StoredBlob } from '../../../providers/blobs/index.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { Reply, type RequestMeta } from '../../handler.ts';
import { isFinalRejection } from '../model.ts';
import {
  acquireUploadLease,
  deleteUpload,
  findUpload,
  markUploadCompleted,
  partsOf,
  releaseUploadLease,
  renewUploadLease,
  type UploadResult,
  type UploadRow,
} from '../store/uploads.ts';
import { createFromFile } from './create-from-file.ts';
import { fileTooLargeError } from './form.ts';
import { parseUploadFields } from './metadata.ts';
import { PartReader } from './part-reader.ts';
import { concurrentRequestError, leaseExpiry, receiveBytes } from './receive.ts';
import { releaseBuffers } from './release-buffers.ts';
import { canComplete, isFinal, lengthOf, progressHeaders, requireUpload } from './resumable.ts';

const renewMs = 20_000;

/**
 * Takes bytes in from the upload's offset on; with the last ones it becomes a memory. Throws 404
 * not_found, 403 for a final upload, 409 conflict for another offset or where another request has
 * gone on, 413, 460 checksum_mismatch, and as becomeMemory.
 */
export async function appendUpload(
  ctx: Ctx,
  id: string,
  headers: ValidatedRequest<typeof routes.media.appendUpload>['headers'],
  { bodyStream, contentLength }: Pick<RequestMeta, 'bodyStream' | 'contentLength'>,
): Promise<Reply<undefined>> {
  const known = await requireUpload(ctx, id);
  if (isFinal(known)) {
    const message = 'A final upload takes no bytes: it consists of its parts.';
    throw new AppError('invalid_request', { status: 403, message });
  }
  const length = resolveLength(ctx, known, headers['upload-length']);
  const offset = headers['upload-offset'];
  const isNext = offset === Number(known.received);
  const bytesMax = length ?? ctx.config.media.uploadBytesMax;
  if (isNext && offset + (contentLength ?? 0) > bytesMax) throw fileTooLargeError(bytesMax);
  const checksum = headers['upload-checksum'];
  const parts = new PartReader(releaseBuffers(bodyStream));
  const upload = await receiveParts(ctx, known, { offset, length, checksum }, parts);
  return new Reply<undefined>(undefined, { status: 204, headers: progressHeaders(upload) });
}

/** Throws 400 invalid_request for another length than is known, or less than is here; 413. */
function resolveLength(ctx: Ctx, known: UploadRow, sent: number | undefined): number | null {
  const before = lengthOf(known);
  if (sent === undefined || sent === before) return before;
  const bytesMax = ctx.config.media.uploadBytesMax;
  if (before === null && sent > bytesMax) throw fileTooLargeError(bytesMax);
  if (before === null && sent >= Number(known.received)) return sent;
  const message =
    before === null ? `must be at least ${known.received}` : `is ${before} and cannot be changed`;
  throw headerError({ 'upload-length': { code: 'invalid_range', message } });
}

interface PartRequest {
  readonly offset: number;
  readonly length: number | null;
  readonly checksum: string | undefined;
}

/** Returns the upload as it is then. Throws as appendUpload. */
export async function receiveParts(
  ctx: Ctx,
  known: UploadRow,
  { offset, length, checksum }: PartRequest,
  parts: PartReader,
): Promise<UploadRow> {
  const holder = ctx.ids.uuid();
  try {
    const row = await acquireUpload(ctx, known, holder);
    if (Number(row.received) !== offset) {
      const message = `The upload is at ${row.received} bytes, not at ${offset}.`;
      throw new AppError('conflict', { message, details: { offset: Number(row.received) } });
    }
    const receiving = { holder, length: lengthOf(row) ?? length, checksum };
    const received = await receiveBytes(ctx, row, receiving, parts);
    return canComplete(received)
      ? { ...received, ...(await finaliseUpload(ctx, received, holder)) }
      : received;
  } catch (error) {
    throw await withOffset(ctx, known, error);
  } finally {
    await parts.close();
    await releaseUploadLease(ctx.engine.db, known, { holder, again: null });
  }
}

/** A client that lost its place goes on from the header of a 409. */
async function withOffset(ctx: Ctx, known: UploadRow, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'conflict') return error;
  const now = await findUpload(ctx.engine.db, known.account_id, known.id);
  if (now === undefined) return error;
  const { message, details } = error;
  const headers = { ...error.headers, 'upload-offset': String(now.received) };
  return new AppError('conflict', { message, headers, ...(details ? { details } : {}) });
}

/** Throws 409 conflict, 404 not_found. */
export async function acquireUpload(
  ctx: Ctx,
  known: UploadRow,
  holder: string,
): Promise<UploadRow> {
  const now = ctx.clock.now();
  const until = canComplete(known) ? leaseExpiry(now) : null;
  const row = await acquireUploadLease(ctx.engine.db, known, { holder, now, until });
  if (row) return row;
  const isThere = await findUpload(ctx.engine.db, known.account_id, known.id);
  if (!isThere) throw new AppError('not_found');
  throw new AppError('conflict', { message: 'The upload is being ended.' });
}

/**
 * Puts the parts together and makes a memory of them; of an upload that has become one already, the
 * same, and so of content that is stored already. What is refused for good is gone with all its
 * parts. Throws as becomeMemory, and 409 conflict where another has taken it over.
 */
export async function finaliseUpload(
  ctx: Ctx,
  row: UploadRow,
  holder: string,
): Promise<UploadResult> {
  const { memory_id, is_duplicate } = row;
  if (memory_id !== null) return { memory_id, is_duplicate };
  using _kept = keepLeaseAlive(ctx, row, holder);
  try {
    const arrived = { ...(await assembleParts(ctx, row)), filename: row.filename };
    let ending: UploadResult = { memory_id: '', is_duplicate: false };
    await createFromFile(ctx, parseUploadFields(row.fields), arrived, async (inTx, record) => {
      ending = { memory_id: record.id, is_duplicate: false };
      const parts = await markUploadCompleted(inTx.tx, row, holder, ending);
      if (parts === null) throw concurrentRequestError();
      await scheduleBlobRemoval(inTx, parts);
    });
    return ending;
  } catch (error) {
    const now = await findUpload(ctx.engine.db, row.account_id, row.id);
    if (now?.memory_id) return { memory_id: now.memory_id, is_duplicate: now.is_duplicate };
    if (error instanceof AppError && error.code === 'duplicate_memory') {
      return completeAsDuplicate(ctx, row, holder, error);
    }
    // Without FFmpeg, or with a full quota of a month, it may go better the next time.
    if (isFinalRejection(error) && error.status !== 429) await discardUpload(ctx, row, holder);
    throw error;
  }
}

/** A client of tus can do nothing about a duplicate: its upload is the memory that is stored. */
async function completeAsDuplicate(
  ctx: Ctx,
  row: UploadRow,
  holder: string,
  error: AppError,
): Promise<UploadResult> {
  const memoryId = error.details?.memory_id;
  // Of one that was stored in this very moment no id is known; it is by the next attempt.
  if (typeof memoryId !== 'string') throw new AppError('service_unavailable', { cause: error });
  const ending = { memory_id: memoryId, is_duplicate: true };
  return withTransaction(ctx, async (inTx) => {
    const parts = await markUploadCompleted(inTx.tx, row, holder, ending);
    if (parts === null) throw concurrentRequestError();
    await scheduleBlobRemoval(inTx, parts);
    return ending;
  });
}

/** Throws 409 conflict where it was given up meanwhile. */
async function assembleParts(ctx: Ctx, row: UploadRow): Promise<StoredBlob> {
  const parts = await partsOf(ctx.engine.db, row);
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

/** A large file takes longer than a lease; who has lost it is told so at the end. */
function keepLeaseAlive({ clock, engine, log }: Ctx, row: UploadRow, holder: string): Disposable {
  let timer: Disposable;
  const plan = (): void => {
    timer = clock.after(renewMs, () => {
      plan();
      renewUploadLease(engine.db, row, { holder, until: leaseExpiry(clock.now()) }).catch(
        (error: unknown) => log.warn({ err: error }, 'an upload could not be held'),
      );
    });
  };
  plan();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** @param holder only where it is still theirs */
export const discardUpload = (
  ctx: Ctx,
  row: Pick<UploadRow, 'account_id' | 'id'>,
  holder?: string,
): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await scheduleBlobRemoval(inTx, (await deleteUpload(inTx.tx, row, holder)) ?? []);
  });
