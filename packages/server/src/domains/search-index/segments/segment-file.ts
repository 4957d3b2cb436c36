import { type FileHandle, open } from 'node:fs/promises';
import type { AccountIndex } from '../account/account-index.ts';
import { IndexDropped, type SegmentIdentity, SegmentUnusable } from './format.ts';
import { IndexSnapshot } from './index-snapshot.ts';
import { readIndex } from './read-index.ts';
import { SegmentReader, type SegmentSource } from './segment-reader.ts';
import { type SegmentSink, SegmentWriter } from './segment-writer.ts';
import { indexSections } from './write-index.ts';

/** The indexes of an account by the kind of document. */
type Kinds = ReadonlyMap<string, AccountIndex>;

/** Writes and syncs a new file; returns its bytes. Throws IndexDropped, and errors of the disk. */
export async function writeSegmentFile(
  file: string,
  identity: SegmentIdentity,
  kinds: Kinds,
  isOpen: () => boolean,
): Promise<number> {
  await using handle = await open(file, 'wx', 0o600);
  const sink = { write: (bytes: Uint8Array) => writeFully(handle, bytes) };
  const bytes = await writeSegment(sink, identity, kinds, isOpen);
  await handle.sync();
  return bytes;
}

/** A disk that becomes full takes a part: only the next call says why. */
async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, from);
    if (bytesWritten === 0) throw new Error('The disk takes no more bytes.');
    from += bytesWritten;
  }
}

/**
 * Writes the live documents of this moment, also of deleted words nothing else. Other work gets its
 * turn after each block.
 * @param isOpen false when the index was dropped: its vectors may be overwritten
 */
export async function writeSegment(
  sink: SegmentSink,
  identity: SegmentIdentity,
  kinds: Kinds,
  isOpen: () => boolean,
): Promise<number> {
  const snapshots = [...kinds].map(([kind, index]) => [kind, new IndexSnapshot(index)] as const);
  const guarded: SegmentSink = {
    async write(bytes) {
      await sink.write(bytes);
      if (!isOpen()) throw new IndexDropped('the index was dropped');
    },
  };
  const writer = new SegmentWriter(guarded);
  await writer.begin();
  for (const [kind, snapshot] of snapshots) {
    for (const { name, chunks } of indexSections(snapshot)) {
      await writer.add(`${kind}/${name}`, chunks);
    }
  }
  return writer.finish(
    identity,
    snapshots.map(([kind]) => kind),
  );
}

/** Reads a file as `readSegment` does. */
export async function readSegmentFile(
  file: string,
  expected: SegmentIdentity,
  createIndex: (kind: string) => AccountIndex,
): Promise<void> {
  const opened = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    const fault = error.code === 'ENOENT' ? 'missing' : 'damaged';
    throw new SegmentUnusable(fault, error.message, { cause: error });
  });
  await using handle = opened;
  await readSegment(handle, expected, createIndex);
}

/**
 * Reads the indexes of a segment. Throws SegmentUnusable; the indexes that were created by then are
 * the caller's to free.
 */
export async function readSegment(
  source: SegmentSource,
  expected: SegmentIdentity,
  createIndex: (kind: string) => AccountIndex,
): Promise<void> {
  try {
    const reader = await SegmentReader.open(source, expected);
    for (const kind of reader.footer.kinds) {
      await readIndex(reader.ofKind(kind), createIndex(kind));
    }
  } catch (error) {
    if (error instanceof SegmentUnusable) throw error;
    // The disk failed, or contents that have the right checksum are not what they should be.
    throw new SegmentUnusable('damaged', (error as Error).message, { cause: error });
  }
}
