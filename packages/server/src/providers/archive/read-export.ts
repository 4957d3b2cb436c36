import { createHash } from 'node:crypto';
import { checksumListBytesMax, PendingChecksums } from './checksums.ts';
import { ArchiveRejected, type ArchiveRejectionReason } from './errors.ts';
import { decompress, isGzip } from './gzip.ts';
import { isChecksumList, isSafeEntryName, lastChecksumListName, manifestName } from './layout.ts';
import { resumable } from './read.ts';
import { InvalidTar, readTar, type TarEntry } from './read-tar.ts';
import type { ArchiveEntry } from './write.ts';

const createError = (
  reason: ArchiveRejectionReason,
  message: string,
  entry: string | null = null,
  cause?: unknown,
): ArchiveRejected => new ArchiveRejected(reason, message, { entry, cause });

/** Names the entry at which an export is damaged. */
export const createDamagedExportError = (
  entry: string,
  what: string,
  cause?: unknown,
): ArchiveRejected =>
  createError('corrupted', `The archive is damaged at ${entry}: ${what}.`, entry, cause);

const isErrorOfZlib = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException | null)?.code).startsWith('Z_');

/**
 * Reads an export, gzip'd or plain tar, in one pass: its entries without lists of checksums. The
 * first one is the manifest. The unread rest of a content is skipped. A checksum is verified
 * only after later entries were yielded. Throws ArchiveRejected (other entries than files, unsafe
 * or repeated names, wrong checksums, a missing end), and the errors of the source.
 */
export async function* readExport(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ExportReader();
  try {
    for await (const entry of readTar(decompressIfGzip(source))) yield* reader.next(entry);
  } catch (error) {
    throw reader.explain(error);
  }
  reader.finish();
}

/** Decides by the first two bytes. */
async function* decompressIfGzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isOver = false;
  while (head.length < 2 && !isOver) {
    const { value, done } = await chunks.next();
    isOver = done === true;
    if (!done) head = Buffer.concat([head, value]);
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield head;
    if (!isOver) yield* { [Symbol.asyncIterator]: () => chunks };
  };
  yield* isGzip(head) ? decompress(whole()) : whole();
}

class ExportReader {
  readonly #checksums = new PendingChecksums(createDamagedExportError);
  readonly #names = new Set<string>();
  #entry: string | null = null;
  #isComplete = false;

  async *next({ header, content }: TarEntry): AsyncGenerator<ArchiveEntry> {
    const { name, size = 0, type } = header;
    if (this.#entry === null && name !== manifestName) {
      throw createError(
        'foreign',
        `This is not an export: it does not begin with ${manifestName}.`,
      );
    }
    if (type !== 'file' || !isSafeEntryName(name)) {
      const shown = name.slice(0, 100);
      const message = `The archive has an entry ${JSON.stringify(shown)}, which is no file of it.`;
      throw createError('unsafe_entry', message, shown);
    }
    this.#entry = name;
    if (this.#isComplete)
      throw createDamagedExportError(name, `it follows ${lastChecksumListName}`);
    if (this.#names.has(name)) throw createDamagedExportError(name, 'it is there twice');
    this.#names.add(name);
    if (isChecksumList(name)) {
      const list = await readLimitedEntry({ name, size, content }, checksumListBytesMax);
      this.#checksums.compare(name, list);
      this.#isComplete = name === lastChecksumListName;
      return;
    }
    if (this.#checksums.isFull)
      throw createDamagedExportError(name, 'a list of checksums is missing before it');
    const hash = createHash('sha256');
    const hashed = resumable(
      content,
      (chunk) => hash.update(chunk),
      (error) => this.explain(error),
    );
    yield { name, size, content: hashed };
    for await (const _ of hashed);
    this.#checksums.add({ name, size, sha256: hash.digest('hex') });
  }

  finish(): void {
    if (this.#isComplete) return;
    if (this.#entry === null) throw createError('foreign', 'This is not an export: it is empty.');
    throw this.#truncated();
  }

  explain(error: unknown): unknown {
    const { code } = (error ?? {}) as NodeJS.ErrnoException;
    const isTar = error instanceof InvalidTar;
    if (isTar && this.#entry === null)
      return createError('foreign', 'This is not an export: it is no tar file.', null, error);
    if (code === 'Z_BUF_ERROR' || (isTar && error.isTruncated)) return this.#truncated(error);
    if (isTar || isErrorOfZlib(error))
      return createDamagedExportError(this.#entry ?? manifestName, 'it cannot be unpacked', error);
    return error;
  }

  #truncated(cause?: unknown): ArchiveRejected {
    const message = `The archive is incomplete: it ends after ${this.#entry ?? 'nothing'}.`;
    return createError('truncated', message, this.#entry, cause);
  }
}

/** Reads a small entry. Throws ArchiveRejected if it is larger than `bytesMax`. */
export async function readLimitedEntry(
  { name, size, content }: ArchiveEntry,
  bytesMax: number,
): Promise<Uint8Array> {
  if (size > bytesMax) throw createDamagedExportError(name, `it has more than ${bytesMax} bytes`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
