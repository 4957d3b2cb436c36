import { z } from 'zod';
import { ArchiveRejected } from './errors.ts';

/** Maximum entries of one list, which limits the memory of both sides for any archive size. */
const listedMax = 1_000;
/** Larger than the longest list: names have at most 100 characters. */
export const checksumListBytesMax = 512 * 1024;

const checksum = z.object({ name: z.string(), size: z.int().nonnegative(), sha256: z.string() });

const listSchema = z.object({
  /** The entries since the previous list, in order. */
  entries: z.array(checksum).max(listedMax),
  /** Number of entries from the first up to the last of this list. */
  count: z.int().nonnegative(),
});

type Checksum = z.output<typeof checksum>;

/** Creates the error of a damaged entry. */
type CreateEntryError = typeof createCorruptedEntryError;

/** The checksums of entries that are not yet in a list. */
export class PendingChecksums {
  readonly #createError: CreateEntryError;
  #entries: Checksum[] = [];
  #count = 0;

  constructor(createError: CreateEntryError = createCorruptedEntryError) {
    this.#createError = createError;
  }

  get isFull(): boolean {
    return this.#entries.length >= listedMax;
  }

  add(entry: Checksum): void {
    this.#entries.push(entry);
    this.#count += 1;
  }

  /** Formats all pending entries as a list. */
  format(): Uint8Array {
    const list = { entries: this.#entries, count: this.#count };
    this.#entries = [];
    return Buffer.from(`${JSON.stringify(list)}\n`);
  }

  /** Compares the entries read with a list from the archive. Throws ArchiveRejected. */
  compare(name: string, bytes: Uint8Array): void {
    const list = this.#parseList(name, bytes);
    for (const [i, found] of this.#entries.entries()) {
      const written = list.entries[i];
      if (written?.name !== found.name)
        throw this.#createError(found.name, `${name} does not list it`);
      if (written.size !== found.size) {
        throw this.#createError(
          found.name,
          `it has ${found.size} bytes instead of ${written.size}`,
        );
      }
      if (written.sha256 !== found.sha256)
        throw this.#createError(found.name, 'its checksum differs');
    }
    const missing = list.entries[this.#entries.length];
    if (missing) throw this.#createError(missing.name, 'it is missing');
    if (list.count !== this.#count) {
      throw this.#createError(name, `its count is ${list.count} instead of ${this.#count} entries`);
    }
    this.#entries = [];
  }

  #parseList(name: string, bytes: Uint8Array): z.output<typeof listSchema> {
    try {
      return listSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    } catch (error) {
      throw this.#createError(name, 'it is not a list of checksums', error);
    }
  }
}

export const createCorruptedEntryError = (
  entry: string,
  what: string,
  cause?: unknown,
): ArchiveRejected =>
  new ArchiveRejected(
    'corrupted',
    `The backup is damaged at ${entry}: ${what}. Use another copy of it.`,
    { entry, cause },
  );
