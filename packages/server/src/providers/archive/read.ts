import { createHash } from 'node:crypto';
import {
  createForeignArchiveError,
  createTruncatedArchiveError,
  openArchiveSource,
} from './archive-source.ts';
import { checksumListBytesMax, createCorruptedEntryError, PendingChecksums } from './checksums.ts';
import { ArchiveRejected } from './errors.ts';
import {
  getEntrySection,
  isChecksumList,
  isSafeEntryName,
  lastChecksumListName,
  manifestName,
  SectionOrderValidator,
  secretKeyName,
} from './layout.ts';
import { type Manifest, manifestBytesMax, parseManifest } from './manifest.ts';
import { InvalidTar, readTar, type TarEntry } from './read-tar.ts';
import type { ArchiveEntry } from './write.ts';

/** A restore holds it in memory. */
const secretKeyBytesMax = 64 * 1024;

interface SectionTotals {
  readonly entries: number;
  readonly bytes: number;
}

export interface VerifiedArchive {
  readonly manifest: Manifest;
  readonly database: SectionTotals;
  readonly blobs: SectionTotals;
}

/** Reads a whole archive and verifies everything. Throws ArchiveRejected and file errors. */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  const scan = new ArchiveReader();
  const totals = { database: { entries: 0, bytes: 0 }, blobs: { entries: 0, bytes: 0 } };
  for await (const { name, size } of scan.read(file)) {
    const section = getEntrySection(name);
    if (section !== 'database' && section !== 'blobs') continue;
    totals[section].entries += 1;
    totals[section].bytes += size;
  }
  return { manifest: scan.manifest, ...totals };
}

/**
 * The entries after the manifest, in order: the secret key if present, the database, the blobs. The
 * unread rest of a content is skipped. Verifies everything again and throws ArchiveRejected; the
 * checksum of an entry is verified only after it was yielded.
 */
export const readArchiveEntries = (file: string): AsyncGenerator<ArchiveEntry> =>
  new ArchiveReader().read(file);

/** One pass over an archive. */
class ArchiveReader {
  readonly #order = new SectionOrderValidator();
  readonly #checksums = new PendingChecksums();
  #manifest: Manifest | null = null;
  #hasSecretKey = false;
  #isComplete = false;
  #hasEndRecord = false;
  /** The current entry, for messages. */
  #entry: string | null = null;

  get manifest(): Manifest {
    if (this.#manifest === null) throw new Error('the manifest was not read yet');
    return this.#manifest;
  }

  async *read(file: string): AsyncGenerator<ArchiveEntry> {
    await using source = await openArchiveSource(file);
    this.#hasEndRecord = source.hasEndRecord;
    try {
      for await (const entry of readTar(source.tar())) yield* this.#next(entry);
      this.#finish();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async *#next({ header, content }: TarEntry): AsyncGenerator<ArchiveEntry> {
    const { name, size = 0 } = header;
    if (this.#entry === null && name !== manifestName) {
      throw createForeignArchiveError(`it does not begin with ${manifestName}`);
    }
    if (header.type !== 'file' || !isSafeEntryName(name)) throw createUnsafeEntryError(name);
    this.#entry = name;
    if (this.#isComplete)
      throw createCorruptedEntryError(name, `it follows ${lastChecksumListName}`);
    if (!Number.isSafeInteger(size) || size < 0)
      throw createCorruptedEntryError(name, 'its size is invalid');
    if (isChecksumList(name)) {
      this.#checksums.compare(name, await readWhole({ name, size, content }, checksumListBytesMax));
      this.#isComplete = name === lastChecksumListName;
      return;
    }
    this.#validateEntry(name, size);
    const hash = createHash('sha256');
    const hashed = resumable(content, (chunk) => hash.update(chunk), this.#explain);
    if (name === manifestName) {
      const bytes = await readWhole({ name, size, content: hashed }, manifestBytesMax);
      this.#manifest = parseManifest(bytes);
    } else {
      yield { name, size, content: hashed };
      for await (const _ of hashed);
    }
    this.#checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  #validateEntry(name: string, size: number): void {
    const section = getEntrySection(name);
    if (section === null) throw createUnsafeEntryError(name);
    const problem = this.#order.validateNext(section);
    if (problem !== null) throw createCorruptedEntryError(name, problem);
    if (this.#checksums.isFull)
      throw createCorruptedEntryError(name, 'a list of checksums is missing before it');
    if (name !== secretKeyName) return;
    assertSizeAtMost(name, size, secretKeyBytesMax);
    this.#hasSecretKey = true;
  }

  #finish(): void {
    if (this.#entry === null) throw createForeignArchiveError('it has no entries');
    if (!this.#isComplete)
      throw createTruncatedArchiveError(`it ends after ${this.#entry}`, this.#entry);
    if (!this.#hasEndRecord)
      throw createTruncatedArchiveError('its last bytes are missing', this.#entry);
    if (this.manifest.has_secret_key !== this.#hasSecretKey) {
      throw createCorruptedEntryError(
        manifestName,
        `its has_secret_key does not match the entries`,
      );
    }
  }

  readonly #explain = (error: unknown): unknown => {
    const rejection = this.#toRejection(error);
    const isImpossible = rejection?.reason === 'foreign' || rejection?.reason === 'truncated';
    if (isImpossible && this.#hasEndRecord) return this.#damaged(rejection);
    return rejection ?? error;
  };

  /** Null if the error is not about the archive. */
  #toRejection(error: unknown): ArchiveRejected | null {
    if (error instanceof ArchiveRejected) return error;
    const isTar = error instanceof InvalidTar;
    if (isTar && this.#entry === null)
      return createForeignArchiveError('it is a gzip file of something else', error);
    const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR' || (isTar && error.isTruncated)) {
      return createTruncatedArchiveError(
        `it ends in ${this.#entry ?? manifestName}`,
        this.#entry,
        error,
      );
    }
    return isTar || code.startsWith('Z_') ? this.#damaged(error) : null;
  }

  #damaged(cause: unknown): ArchiveRejected {
    return createCorruptedEntryError(this.#entry ?? manifestName, 'its data is invalid', cause);
  }
}

/** The rest of a content. Reading can stop and continue later, which a generator does not allow. */
export function resumable(
  content: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
  explain: (error: unknown) => unknown,
): AsyncIterable<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const found = await chunks.next().catch((error: unknown) => {
      throw explain(error);
    });
    if (!found.done) onChunk(found.value);
    return found;
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function assertSizeAtMost(name: string, size: number, bytesMax: number): void {
  if (size > bytesMax)
    throw createCorruptedEntryError(name, `it has ${size} bytes, the limit is ${bytesMax}`);
}

/** Reads an entry with a limited size, regardless of its header. */
async function readWhole(
  { name, size, content }: ArchiveEntry,
  bytesMax: number,
): Promise<Uint8Array> {
  assertSizeAtMost(name, size, bytesMax);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const shownCharacters = 100;

const createUnsafeEntryError = (name: string): ArchiveRejected =>
  new ArchiveRejected(
    'unsafe_entry',
    `The backup has an entry ${JSON.stringify(name.slice(0, shownCharacters))}, which Mneme did ` +
      'not write. Do not restore this backup.',
    { entry: name.slice(0, shownCharacters) },
  );
