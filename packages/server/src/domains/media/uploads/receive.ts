import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import {
  addUploadPart,
  setUploadLength,
  type UploadPart,
  type UploadRow,
} from '../store/uploads.ts';
import { ChecksumVerifier } from './checksum.ts';
import { fileTooLargeError } from './form.ts';
import type { PartReader } from './part-reader.ts';
import { canCompleteUpload, uploadTtlMs } from './resumable.ts';

/** Bytes per stored part: a crash loses at most this much of the received data. */
const partBytes = 16 * 2 ** 20;
/** Renewed while the upload is assembled and probed; the lease of a dead process lasts so long. */
const leaseMs = 60_000;
export const leaseExpiry = (now: Date): Date => new Date(now.getTime() + leaseMs);

export interface ReceiveOptions {
  readonly holder: string;
  /** Length of the whole file; null while unknown. */
  readonly length: number | null;
  /** Upload-Checksum of this request. */
  readonly checksum: string | undefined;
}

export const concurrentRequestError = (): AppError =>
  new AppError('conflict', { message: 'Another request has resumed this upload.' });

/**
 * Stores the bytes of one request and returns the updated upload. Without a checksum, each part is
 * recorded when it is stored; with one, all parts or none. Throws 413 payload_too_large, 460
 * checksum_mismatch, 409 conflict.
 */
export async function receiveUploadBytes(
  ctx: Ctx,
  row: UploadRow,
  receiving: ReceiveOptions,
  parts: PartReader,
): Promise<UploadRow> {
  const { length } = receiving;
  const bytesMax = length ?? ctx.config.media.uploadBytesMax;
  const received = { ...row, length };
  const checksum =
    receiving.checksum === undefined ? null : new ChecksumVerifier(receiving.checksum);
  const unrecorded: UploadPart[] = [];
  try {
    for (
      let position = Number(row.received);
      position < bytesMax && !(await parts.isExhausted());
    ) {
      const max = Math.min(partBytes, bytesMax - position);
      const bytes = parts.readPart(max);
      const stored = await ctx.blobs.write(checksum ? checksum.hashStream(bytes) : bytes, {
        bytesMax: max,
      });
      const { account_id, id: upload_id } = row;
      unrecorded.push({ account_id, upload_id, position, blob: stored.name, bytes: stored.bytes });
      position += stored.bytes;
      if (checksum === null) await recordParts(ctx, received, receiving, unrecorded);
    }
    const exceedsLength = checksum !== null && !(await parts.isExhausted());
    if (exceedsLength) throw fileTooLargeError(bytesMax);
    checksum?.verify();
    await recordParts(ctx, received, receiving, unrecorded);
  } catch (error) {
    // If the outcome of a commit is unknown, the orphan job removes unused blobs later.
    const isRejected = error instanceof AppError;
    for (const { blob } of isRejected ? unrecorded : []) await ctx.blobs.remove(blob);
    throw error;
  }
  if (row.length === null && length !== null) await setUploadLength(ctx.engine.db, row, receiving);
  if (Number(received.received) === bytesMax && !(await parts.isExhausted()))
    throw fileTooLargeError(bytesMax);
  return received;
}

/** Records the stored parts in one transaction. */
async function recordParts(
  { clock, engine }: Ctx,
  upload: UploadRow,
  { holder, length }: ReceiveOptions,
  unrecorded: UploadPart[],
): Promise<void> {
  const last = unrecorded.at(-1);
  if (last === undefined) return;
  const received = last.position + last.bytes;
  const now = clock.now();
  const until = canCompleteUpload({ ...upload, received }) ? leaseExpiry(now) : null;
  const expires = new Date(now.getTime() + uploadTtlMs);
  await engine.transaction(async (tx) => {
    for (const part of unrecorded) {
      if (!(await addUploadPart(tx, part, { holder, length, until, expires })))
        throw concurrentRequestError();
    }
  });
  unrecorded.length = 0;
  Object.assign(upload, { received, expires_at: expires });
}
