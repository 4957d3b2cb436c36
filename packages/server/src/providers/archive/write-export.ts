import { createHash } from 'node:crypto';
import { PendingChecksums } from './checksums.ts';
import { type CompressionBlock, compress } from './gzip.ts';
import { checksumListName, isSafeEntryName, lastChecksumListName, manifestName } from './layout.ts';
import { tarEnd } from './tar-header.ts';
import { type ArchiveEntry, createEntryBlocks, toMemoryEntry } from './write.ts';

export interface ExportContents {
  readonly createdAt: Date;
  readonly manifest: Uint8Array;
  /** Each is read completely before the next one is requested. */
  readonly entries: AsyncIterable<ArchiveEntry & { readonly isCompressed: boolean }>;
}

/**
 * Creates the bytes of an export on demand, in constant memory: `manifest.json`, the entries, and
 * checksums like those of a backup. Throws EntrySizeMismatch and the errors of the entries; the
 * bytes yielded before are then an incomplete archive, which a reader detects.
 */
export const generateExport = (contents: ExportContents): AsyncGenerator<Uint8Array> =>
  compress(createBlocks(contents));

async function* createBlocks(contents: ExportContents): AsyncGenerator<CompressionBlock> {
  const { createdAt, manifest, entries } = contents;
  const checksums = new PendingChecksums();
  let lists = 0;

  async function* add(entry: ArchiveEntry, isStored: boolean): AsyncGenerator<CompressionBlock> {
    const { name, size } = entry;
    if (!isSafeEntryName(name)) throw new Error(`${name} is not a valid entry name`);
    if (checksums.isFull) {
      lists += 1;
      const list = toMemoryEntry(checksumListName(lists), checksums.format());
      yield* createEntryBlocks(list, createdAt);
    }
    const hash = createHash('sha256');
    const onChunk = (chunk: Uint8Array): void => void hash.update(chunk);
    yield* createEntryBlocks(entry, createdAt, { isStored, onChunk });
    checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  yield* add(toMemoryEntry(manifestName, manifest), false);
  for await (const entry of entries) yield* add(entry, !entry.isCompressed);
  const last = toMemoryEntry(lastChecksumListName, checksums.format());
  yield* createEntryBlocks(last, createdAt);
  yield { bytes: tarEnd, isStored: false };
}
