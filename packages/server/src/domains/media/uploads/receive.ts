import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { addPart, setLength, type UploadPart, type UploadRow } from '../store/uploads.ts';
import { Checksum } from './checksum.ts';
import { fileTooLargeError } from './form.ts';
import type { PartReader } from './part-reader.ts';
import { canComplete, uploadTtlMs } from './resumable.ts';

/** Durable one by one: a crash loses at most this much of what has come. */
const partBytes = 16 * 2 ** 20;
/** Renewed while it is put together and probed; who died with it holds it so long. */
const leaseMs = 60_000;
export const leaseExpiry = (now: Date): Date => new Date(now.getTime() + leaseMs);

export interface ReceiveOptions {
  readonly holder: string;
  /** Of the whole file; null while it is not known. */
  readonly length: number | null;
  /** Of the bytes of this request. */
  readonly checksum: string | undefined;
}

export const concurrentRequestError = (): AppError =>
  new AppError('conflict', { message: 'Another request goes on with this upload.' });

/**
 * Stores the bytes of one request and returns the upload as it is then. Without a checksum each
 * part counts once it is here; with one, all of them or none. Throws 413 payload_too_large, 460
 * checksum_mismatch, 409 conflict.
 */
export async function receiveBytes(
  ctx: Ctx,
  row: UploadRow,
  receiving: ReceiveOptions,
  parts: PartReader,
): Promise<UploadRow> {
  const { length } = receiving;
  const bytesMax = length ?? ctx.config.media.uploadBytesMax;
  const received = { ...row, length };
  const checksum = receiving.checksum === undefined ? null : new Checksum(receiving.checksum);
  const waiting: UploadPart[] = [];
  try {
    for (
      let position = Number(row.received);
      position < bytesMax && !(await parts.isExhausted());
    ) {
      const max = Math.min(partBytes, bytesMax - position);
      const bytes = parts.readPart(max);
      const kept = await ctx.blobs.write(checksum ? checksum.hashStream(bytes) : bytes, {
        bytesMax: max,
      });
      const { account_id, id: upload_id } = row;
      waiting.push({ account_id, upload_id, position, blob: kept.name, bytes: kept.bytes });
      position += kept.bytes;
      if (checksum === null) await recordParts(ctx, received, receiving, waiting);
    }
    const isBeyond = checksum !== null && !(await parts.isExhausted());
    if (isBeyond) throw fileTooLargeError(bytesMax);
    checksum?.verify();
    await recordParts(ctx, received, receiving, waiting);
  } catch (error) {
    // Where it is not known whether a commit took effect, a sweep looks for what is unused.
    const isRefused = error instanceof AppError;
    for (const { blob } of isRefused ? waiting : []) await ctx.blobs.remove(blob);
    throw error;
  }
  if (row.length === null && length !== null) await setLength(ctx.engine.db, row, receiving);
  if (Number(received.received) === bytesMax && !(await parts.isExhausted()))
    throw fileTooLargeError(bytesMax);
  return received;
}

/** Counts the waiting parts in, all at once. */
async function recordParts(
  { clock, engine }: Ctx,
  upload: UploadRow,
  { holder, length }: ReceiveOptions,
  waiting: UploadPart[],
): Promise<void> {
  const last = waiting.at(-1);
  if (last === undefined) return;
  const received = last.position + last.bytes;
  const now = clock.now();
  const until = canComplete({ ...upload, received }) ? leaseExpiry(now) : null;
  const expires = new Date(now.getTime() + uploadTtlMs);
  await engine.transaction(async (tx) => {
    for (const part of waiting) {
      if (!(await addPart(tx, part, { holder, length, until, expires })))
        throw concurrentRequestError();
    }
  });
  waiting.length = 0;
  Object.assign(upload, { received, expires_at: expires });
}
