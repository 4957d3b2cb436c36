import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ArchiveRejected } from './errors.ts';
import { decompress, endRecordBytes, isGzip, parseEndRecord } from './gzip.ts';

const pieceBytes = 256 * 1024;

/** The file of an archive, to be read once from its start to its end. */
export interface ArchiveSource extends AsyncDisposable {
  /** The tar stream. Throws the errors of zlib, ArchiveRefused, and those of the file. */
  tar(): AsyncGenerator<Uint8Array>;
  /** It ends as an archive does: it is one, and nothing was cut off. */
  readonly hasEndRecord: boolean;
}

/** Throws ArchiveRefused where it is no gzip file, and what opening a file throws. */
export async function openArchiveSource(file: string): Promise<ArchiveSource> {
  const handle = await open(file, 'r');
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw createForeignError(`${file} is not a file`);
    const { size } = found;
    const tailStart = Math.max(0, size - endRecordBytes);
    const crc = parseEndRecord(await readAt(handle, tailStart, size - tailStart));
    if (crc === null && !isGzip(await readAt(handle, 0, 2))) {
      throw createForeignError(size === 0 ? `${file} is empty` : `${file} is not a gzip file`);
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
  /** Of the bytes before the tail; null: the file does not end as an archive does. */
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
      const piece = await readAt(handle, at, Math.min(pieceBytes, end - at));
      if (piece.length === 0)
        throw createTruncatedError(`it has ${at} bytes, and had ${size} a moment ago`);
      crc = crc32(piece, crc);
      at += piece.length;
      yield piece;
    }
  };
  yield* decompress(body());
  if (expected !== null && expected !== crc) {
    throw new ArchiveRejected(
      'corrupted',
      'The backup is damaged: its bytes are not those that were written. Use another copy of it.',
    );
  }
}

/** As many bytes as there are. */
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

export const createForeignError = (what: string, cause?: unknown): ArchiveRejected =>
  new ArchiveRejected('foreign', `This is not a backup of Mneme: ${what}.`, { cause });

export const createTruncatedError = (
  what: string,
  entry: string | null = null,
  cause?: unknown,
): ArchiveRejected =>
  new ArchiveRejected(
    'truncated',
    `The backup is incomplete: ${what}. Use another copy of it, or make a new backup.`,
    { entry, cause },
  );
