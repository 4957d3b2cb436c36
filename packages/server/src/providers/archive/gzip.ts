import { type Duplex, pipeline } from 'node:stream';
import { constants, crc32, createGunzip, createGzip } from 'node:zlib';

const chunkSize = 128 * 1024;
const gatheredBytes = 64 * 1024;

/**
 * Measured at one core: run lengths and Huffman codes alone take 109 MB/s of a database's files to
 * 54 %, and 62 MB/s of vectors to 93 %; level 1 takes 72 MB/s to 44 %, and 19 MB/s to 93 %; level
 * 6 takes 48 MB/s to 42 %, and 15 MB/s to 93 %.
 */
const fast = { level: 1, strategy: constants.Z_RLE, chunkSize };
/** Media are compressed already: level 1 takes 36 MB/s of them to 100 %, this takes 695 MB/s. */
const stored = { level: 0, chunkSize };

export interface Block {
  readonly bytes: Uint8Array;
  /** Not to be compressed. */
  readonly isStored: boolean;
}

/** A gzip file: a member for each run of blocks that are compressed alike, then the end record. */
export async function* compress(blocks: AsyncGenerator<Block>): AsyncGenerator<Uint8Array> {
  let crc = 0;
  try {
    let next = await blocks.next();
    while (!next.done) {
      const { isStored } = next.value;
      const member = async function* (): AsyncGenerator<Uint8Array> {
        while (!next.done && next.value.isStored === isStored) {
          yield next.value.bytes;
          next = await blocks.next();
        }
      };
      const zlib = createGzip(isStored ? stored : fast);
      for await (const piece of through(gathered(member()), zlib)) {
        crc = crc32(piece, crc);
        yield piece;
      }
    }
  } finally {
    await blocks.return(undefined);
  }
  yield endRecord(crc);
}

/** Small pieces as larger ones: each that goes to zlib waits for a thread. */
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < gatheredBytes) continue;
    yield held.length === 1 ? piece : Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** The bytes of all members. Throws the errors of zlib, and those of the source. */
export const decompress = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  through(bytes, createGunzip({ chunkSize }));

async function* through(source: AsyncIterable<Uint8Array>, zlib: Duplex): AsyncGenerator<Buffer> {
  // An error of the source destroys `zlib` with it, which throws it below.
  pipeline(source, zlib, () => {});
  yield* zlib;
}

/**
 * An empty member, whose header has a field with the CRC-32 of all bytes before it. zlib does not
 * notice each changed bit: there are unused ones, and other codes for the same bytes.
 */
const beforeCrc = Buffer.from([
  ...[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255],
  // A field of 4 bytes with the name MN.
  ...[8, 0, 0x4d, 0x4e, 4, 0],
]);
const afterCrc = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const crcBytes = 4;
export const endRecordBytes = beforeCrc.length + crcBytes + afterCrc.length;

export function endRecord(crc: number): Uint8Array {
  const field = Buffer.alloc(crcBytes);
  field.writeUInt32LE(crc);
  return Buffer.concat([beforeCrc, field, afterCrc]);
}

/** The CRC-32 in the last bytes of a file; null where they are no end record. */
export function parseEndRecord(tail: Uint8Array): number | null {
  const bytes = Buffer.from(tail);
  const isRecord =
    bytes.length === endRecordBytes &&
    bytes.subarray(0, beforeCrc.length).equals(beforeCrc) &&
    bytes.subarray(beforeCrc.length + crcBytes).equals(afterCrc);
  return isRecord ? bytes.readUInt32LE(beforeCrc.length) : null;
}

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;
