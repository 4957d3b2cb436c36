import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ArchiveRejected, ArchiveUnreadable } from './errors.ts';
import { decompress, endRecordBytes, isGzip, parseEndRecordChecksum } from './gzip.ts';

const chunkBytes = 256 * 1024;

/** The file of an archive, read once from start to end. */
export interface ArchiveSource extends AsyncDisposable {
  /** The tar stream. Throws the errors of zlib, ArchiveRejected, and file errors. */
  tar(): AsyncGenerator<Uint8Array>;
  /** The file ends with an end record: it is an archive and complete. */
  readonly hasEndRecord: boolean;
}

/** Throws ArchiveUnreadable, and ArchiveRejected if it is not a gzip file. */
export async function openArchiveSource(file: string): Promise<ArchiveSource> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new ArchiveUnreadable(file, error);
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw createForeignArchiveError(`${file} is not a file`);
    const { size } = found;
    const tailStart = Math.max(0, size - endRecordBytes);
    const crc = parseEndRecordChecksum(await readAt(handle, tailStart, size - tailStart));
    if (crc === null && !isGzip(await readAt(handle, 0, 2))) {
      throw createForeignArchiveError(
        size === 0 ? `${file} is empty` : `${file} is not a gzip file`,
      );
    }
    return {
      tar: () => readTarStream(handle, { size, tailStart, crc }),
      hasEndRecord: crc !== null,
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface ArchiveExtent {
  readonly size: number;
  readonly tailStart: number;
  /** CRC of the bytes before the tail; null if there is no end record. */
  readonly crc: number | null;
}

async function* readTarStream(
  handle: FileHandle,
  { size, tailStart, crc: expected }: ArchiveExtent,
): AsyncGenerator<Uint8Array> {
  let crc = 0;
  const end = expected === null ? size : tailStart;
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < end; ) {
      const chunk = await readAt(handle, at, Math.min(chunkBytes, end - at));
      if (chunk.length === 0)
        throw createTruncatedArchiveError(`it shrank from ${size} to ${at} bytes during reading`);
      crc = crc32(chunk, crc);
      at += chunk.length;
      yield chunk;
    }
  };
  yield* decompress(body());
  if (expected !== null && expected !== crc) {
    throw new ArchiveRejected(
      'corrupted',
      'The backup is damaged: its checksum does not match. Use another copy of it.',
    );
  }
}

/** Reads up to `bytes` bytes. */
async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let length = 0;
  while (length < bytes) {
    const { bytesRead } = await handle.read(buffer, length, bytes - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

export const createForeignArchiveError = (what: string, cause?: unknown): ArchiveRejected =>
  new ArchiveRejected('foreign', `This is not a backup of Mneme: ${what}.`, { cause });

export const createTruncatedArchiveError = (
  what: string,
  entry: string | null = null,
  cause?: unknown,
): ArchiveRejected =>
  new ArchiveRejected(
    'truncated',
    `The backup is incomplete: ${what}. Use another copy of it, or create a new backup.`,
    { entry, cause },
  );
