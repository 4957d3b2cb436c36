import { createHash } from 'node:crypto';
import { PendingChecksums } from './checksums.ts';
import { EntrySizeMismatch } from './errors.ts';
import { type CompressionBlock, compress } from './gzip.ts';
import {
  type ArchiveSection,
  checksumListName,
  getEntrySection,
  isSafeEntryName,
  lastChecksumListName,
  manifestName,
  SectionOrderValidator,
  secretKeyName,
} from './layout.ts';
import { formatManifest, type ManifestDetails } from './manifest.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-header.ts';

export interface ArchiveEntry {
  readonly name: string;
  /** Size of the content in bytes. */
  readonly size: number;
  /** Its chunks must remain unchanged after the next one is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ArchiveContents {
  readonly manifest: ManifestDetails;
  /** The output of `encryptServerSecretKey`; null omits the key. */
  readonly secretKey: Uint8Array | null;
  /** `database/…`, then `blobs/…`. Each is read completely before the next one is requested. */
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/**
 * Creates the bytes of an archive on demand, in constant memory. Throws EntrySizeMismatch and the
 * errors of the entries; the bytes yielded before are then an incomplete archive.
 */
export const generateArchive = (contents: ArchiveContents): AsyncGenerator<Uint8Array> =>
  compress(createBlocks(contents));

async function* createBlocks(contents: ArchiveContents): AsyncGenerator<CompressionBlock> {
  const { manifest, secretKey, entries } = contents;
  const mtime = new Date(manifest.created_at);
  const order = new SectionOrderValidator();
  const checksums = new PendingChecksums();
  let lists = 0;

  async function* add(entry: ArchiveEntry): AsyncGenerator<CompressionBlock> {
    const { name, size } = entry;
    const section = validateEntry(name, order);
    if (checksums.isFull) {
      lists += 1;
      yield* createEntryBlocks(toMemoryEntry(checksumListName(lists), checksums.format()), mtime);
    }
    const hash = createHash('sha256');
    const measures = { isStored: section === 'blobs', onChunk: hash.update.bind(hash) };
    yield* createEntryBlocks(entry, mtime, measures);
    checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  yield* add(toMemoryEntry(manifestName, formatManifest(manifest, secretKey !== null)));
  if (secretKey !== null) yield* add(toMemoryEntry(secretKeyName, secretKey));
  for await (const entry of entries) yield* add(entry);
  yield* createEntryBlocks(toMemoryEntry(lastChecksumListName, checksums.format()), mtime);
  yield { bytes: tarEnd, isStored: false };
}

function validateEntry(name: string, order: SectionOrderValidator): ArchiveSection {
  const section = getEntrySection(name);
  if (!isSafeEntryName(name) || section === null)
    throw new Error(`${name} is not a valid entry name`);
  const problem = order.validateNext(section);
  if (problem !== null) throw new Error(`${name} cannot be added to the archive: ${problem}`);
  return section;
}

/** Header, content and padding. Throws EntrySizeMismatch and the errors of the content. */
export async function* createEntryBlocks(
  { name, size, content }: ArchiveEntry,
  mtime: Date,
  { isStored, onChunk }: { isStored: boolean; onChunk?: (chunk: Uint8Array) => void } = {
    isStored: false,
  },
): AsyncGenerator<CompressionBlock> {
  yield { bytes: tarHeader(name, size, mtime), isStored };
  let length = 0;
  for await (const bytes of content) {
    length += bytes.length;
    if (length > size) throw new EntrySizeMismatch(name, size, `at least ${length}`);
    onChunk?.(bytes);
    yield { bytes, isStored };
  }
  if (length < size) throw new EntrySizeMismatch(name, size, String(length));
  yield { bytes: tarPadding(size), isStored };
}

export const toMemoryEntry = (name: string, bytes: Uint8Array): ArchiveEntry => ({
  name,
  size: bytes.length,
  content: (async function* () {
    yield bytes;
  })(),
});
