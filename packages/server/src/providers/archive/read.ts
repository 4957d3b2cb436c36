import { createHash } from 'node:crypto';
import { createForeignError, createTruncatedError, openArchiveSource } from './archive-source.ts';
import { createCorruptedError, listBytesMax, PendingChecksums } from './checksums.ts';
import { ArchiveRejected } from './errors.ts';
import {
  getSection,
  isChecksumList,
  isSafeName,
  lastChecksumListName,
  manifestName,
  SectionOrder,
  secretKeyName,
} from './layout.ts';
import { type Manifest, manifestBytesMax, parseManifest } from './manifest.ts';
import { InvalidTar, readTar, type TarEntry } from './read-tar.ts';
import type { ArchiveEntry } from './write.ts';

/** Whoever restores holds it in memory. */
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

/**
 * Reads an archive from its start to its end and checks everything. Throws ArchiveRefused, and what
 * reading the file throws.
 */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  const scan = new ArchiveReader();
  const totals = { database: { entries: 0, bytes: 0 }, blobs: { entries: 0, bytes: 0 } };
  for await (const { name, size } of scan.read(file)) {
    const section = getSection(name);
    if (section !== 'database' && section !== 'blobs') continue;
    totals[section].entries += 1;
    totals[section].bytes += size;
  }
  return { manifest: scan.manifest, ...totals };
}

/**
 * The entries after the manifest, in their order: the secret key if there is one, the database, the
 * blobs. Of a content that is not read to its end the rest is skipped. Everything is checked again,
 * and throws ArchiveRefused; an entry's checksum is known only after it was given.
 */
export const readEntries = (file: string): AsyncGenerator<ArchiveEntry> =>
  new ArchiveReader().read(file);

/** One pass over an archive. */
class ArchiveReader {
  readonly #order = new SectionOrder();
  readonly #checksums = new PendingChecksums();
  #manifest: Manifest | null = null;
  #hasSecretKey = false;
  #isComplete = false;
  #hasEndRecord = false;
  /** Where it is, for messages. */
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
      throw createForeignError(`it does not begin with ${manifestName}`);
    }
    if (header.type !== 'file' || !isSafeName(name)) throw createUnsafeEntryError(name);
    this.#entry = name;
    if (this.#isComplete)
      throw createCorruptedError(name, `it comes after ${lastChecksumListName}`);
    if (!Number.isSafeInteger(size) || size < 0)
      throw createCorruptedError(name, 'its size is invalid');
    if (isChecksumList(name)) {
      this.#checksums.compare(name, await readWhole({ name, size, content }, listBytesMax));
      this.#isComplete = name === lastChecksumListName;
      return;
    }
    this.#admit(name, size);
    const hash = createHash('sha256');
    const hashed = rest(content, (piece) => hash.update(piece), this.#explain);
    if (name === manifestName) {
      const bytes = await readWhole({ name, size, content: hashed }, manifestBytesMax);
      this.#manifest = parseManifest(bytes);
    } else {
      yield { name, size, content: hashed };
      for await (const _ of hashed);
    }
    this.#checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  #admit(name: string, size: number): void {
    const section = getSection(name);
    if (section === null) throw createUnsafeEntryError(name);
    const fault = this.#order.validateNext(section);
    if (fault !== null) throw createCorruptedError(name, fault);
    if (this.#checksums.isFull)
      throw createCorruptedError(name, 'a list of checksums is missing before it');
    if (name !== secretKeyName) return;
    assertSizeAtMost(name, size, secretKeyBytesMax);
    this.#hasSecretKey = true;
  }

  #finish(): void {
    if (this.#entry === null) throw createForeignError('it has no entries');
    if (!this.#isComplete) throw createTruncatedError(`it ends after ${this.#entry}`, this.#entry);
    if (!this.#hasEndRecord) throw createTruncatedError('its last bytes are missing', this.#entry);
    if (this.manifest.has_secret_key !== this.#hasSecretKey) {
      throw createCorruptedError(manifestName, `what it says about ${secretKeyName} is wrong`);
    }
  }

  readonly #explain = (error: unknown): unknown => {
    const refusal = this.#refusalOf(error);
    const isImpossible = refusal?.reason === 'foreign' || refusal?.reason === 'truncated';
    if (isImpossible && this.#hasEndRecord) return this.#damaged(refusal);
    return refusal ?? error;
  };

  /** Null: it says nothing about the archive. */
  #refusalOf(error: unknown): ArchiveRejected | null {
    if (error instanceof ArchiveRejected) return error;
    const isTar = error instanceof InvalidTar;
    if (isTar && this.#entry === null)
      return createForeignError('it is a gzip file of something else', error);
    const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR' || (isTar && error.isTruncated)) {
      return createTruncatedError(`it ends in ${this.#entry ?? manifestName}`, this.#entry, error);
    }
    return isTar || code.startsWith('Z_') ? this.#damaged(error) : null;
  }

  #damaged(cause: unknown): ArchiveRejected {
    return createCorruptedError(
      this.#entry ?? manifestName,
      'its bytes are not those of a backup',
      cause,
    );
  }
}

/**
 * What was not read of a content yet. It can be left and taken up again, which a generator cannot.
 */
function rest(
  content: AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
  explain: (error: unknown) => unknown,
): AsyncIterable<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const found = await pieces.next().catch((error: unknown) => {
      throw explain(error);
    });
    if (!found.done) onPiece(found.value);
    return found;
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function assertSizeAtMost(name: string, size: number, bytesMax: number): void {
  if (size > bytesMax)
    throw createCorruptedError(name, `it has ${size} bytes, and may have ${bytesMax}`);
}

/** Of an entry whose size has a limit, whatever its header says. */
async function readWhole(
  { name, size, content }: ArchiveEntry,
  bytesMax: number,
): Promise<Uint8Array> {
  assertSizeAtMost(name, size, bytesMax);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

const shownCharacters = 100;

const createUnsafeEntryError = (name: string): ArchiveRejected =>
  new ArchiveRejected(
    'unsafe_entry',
    `The backup has an entry ${JSON.stringify(name.slice(0, shownCharacters))}, which Mneme did ` +
      'not write: do not restore it.',
    { entry: name.slice(0, shownCharacters) },
  );
