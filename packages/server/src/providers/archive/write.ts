import { createHash } from 'node:crypto';
import { PendingChecksums } from './checksums.ts';
import { EntrySizeMismatch } from './errors.ts';
import { type Block, compress } from './gzip.ts';
import {
  checksumListName,
  getSection,
  isSafeName,
  lastChecksumListName,
  manifestName,
  type Section,
  SectionOrder,
  secretKeyName,
} from './layout.ts';
import { formatManifest, type ManifestDetails } from './manifest.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-header.ts';

export interface ArchiveEntry {
  readonly name: string;
  /** Of the content, in bytes. */
  readonly size: number;
  /** Its pieces must stay as they are after the next one was asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ArchiveContents {
  readonly manifest: ManifestDetails;
  /** As `sealSecretKey` made it; null leaves the key out. */
  readonly secretKey: Uint8Array | null;
  /** `database/…`, then `blobs/…`. Each is read to its end before the next one is asked for. */
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/**
 * The bytes of an archive, made as they are asked for, in constant memory. Throws
 * EntrySizeMismatch, and what the entries throw: what was given until then is no whole archive.
 */
export const createArchive = (contents: ArchiveContents): AsyncGenerator<Uint8Array> =>
  compress(blocksOf(contents));

async function* blocksOf(contents: ArchiveContents): AsyncGenerator<Block> {
  const { manifest, secretKey, entries } = contents;
  const mtime = new Date(manifest.created_at);
  const order = new SectionOrder();
  const checksums = new PendingChecksums();
  let lists = 0;

  async function* add(entry: ArchiveEntry): AsyncGenerator<Block> {
    const { name, size } = entry;
    const section = admit(name, order);
    if (checksums.isFull) {
      lists += 1;
      yield* blocksOfEntry(inMemory(checksumListName(lists), checksums.format()), mtime);
    }
    const hash = createHash('sha256');
    const measures = { isStored: section === 'blobs', onPiece: hash.update.bind(hash) };
    yield* blocksOfEntry(entry, mtime, measures);
    checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  yield* add(inMemory(manifestName, formatManifest(manifest, secretKey !== null)));
  if (secretKey !== null) yield* add(inMemory(secretKeyName, secretKey));
  for await (const entry of entries) yield* add(entry);
  yield* blocksOfEntry(inMemory(lastChecksumListName, checksums.format()), mtime);
  yield { bytes: tarEnd, isStored: false };
}

function admit(name: string, order: SectionOrder): Section {
  const section = getSection(name);
  if (!isSafeName(name) || section === null) throw new Error(`${name} is no name of an entry`);
  const fault = order.validateNext(section);
  if (fault !== null) throw new Error(`${name} cannot be added to the archive: ${fault}`);
  return section;
}

/** Header, content and padding. Throws EntrySizeMismatch, and what the content throws. */
async function* blocksOfEntry(
  { name, size, content }: ArchiveEntry,
  mtime: Date,
  { isStored, onPiece }: { isStored: boolean; onPiece?: (piece: Uint8Array) => void } = {
    isStored: false,
  },
): AsyncGenerator<Block> {
  yield { bytes: tarHeader(name, size, mtime), isStored };
  let length = 0;
  for await (const bytes of content) {
    length += bytes.length;
    if (length > size) throw new EntrySizeMismatch(name, size, `at least ${length}`);
    onPiece?.(bytes);
    yield { bytes, isStored };
  }
  if (length < size) throw new EntrySizeMismatch(name, size, String(length));
  yield { bytes: tarPadding(size), isStored };
}

const inMemory = (name: string, bytes: Uint8Array): ArchiveEntry => ({
  name,
  size: bytes.length,
  content: (async function* () {
    yield bytes;
  })(),
});
