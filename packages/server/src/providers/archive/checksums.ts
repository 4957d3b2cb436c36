import { z } from 'zod';
import { ArchiveRejected } from './errors.ts';

/** Of one list, so that neither side holds more than that, however large the archive is. */
const listedMax = 1_000;
/** Above the largest list: names of 100 characters. */
export const listBytesMax = 512 * 1024;

const checksum = z.object({ name: z.string(), size: z.int().nonnegative(), sha256: z.string() });

const listSchema = z.object({
  /** The entries since the list before, in their order. */
  entries: z.array(checksum).max(listedMax),
  /** Of the entries from the first on to the last of this list. */
  count: z.int().nonnegative(),
});

type Checksum = z.output<typeof checksum>;

/** The checksums of entries that no list has yet. */
export class PendingChecksums {
  #entries: Checksum[] = [];
  #count = 0;

  get isFull(): boolean {
    return this.#entries.length >= listedMax;
  }

  add(entry: Checksum): void {
    this.#entries.push(entry);
    this.#count += 1;
  }

  /** The list of all that are pending. */
  format(): Uint8Array {
    const list = { entries: this.#entries, count: this.#count };
    this.#entries = [];
    return Buffer.from(`${JSON.stringify(list)}\n`);
  }

  /** Compares what was read with the list of what was written. Throws ArchiveRefused. */
  compare(name: string, bytes: Uint8Array): void {
    const list = parseList(name, bytes);
    for (const [i, found] of this.#entries.entries()) {
      const written = list.entries[i];
      if (written?.name !== found.name)
        throw createCorruptedError(found.name, `${name} does not list it`);
      if (written.size !== found.size) {
        throw createCorruptedError(
          found.name,
          `it has ${found.size} bytes, and had ${written.size}`,
        );
      }
      if (written.sha256 !== found.sha256)
        throw createCorruptedError(found.name, 'its checksum differs');
    }
    const missing = list.entries[this.#entries.length];
    if (missing) throw createCorruptedError(missing.name, 'it is missing');
    if (list.count !== this.#count) {
      throw createCorruptedError(
        name,
        `it counts ${list.count} entries, and there are ${this.#count}`,
      );
    }
    this.#entries = [];
  }
}

function parseList(name: string, bytes: Uint8Array): z.output<typeof listSchema> {
  try {
    return listSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    throw createCorruptedError(name, 'it is not a list of checksums', error);
  }
}

export const createCorruptedError = (
  entry: string,
  what: string,
  cause?: unknown,
): ArchiveRejected =>
  new ArchiveRejected(
    'corrupted',
    `The backup is damaged at ${entry}: ${what}. Use another copy of it.`,
    { entry, cause },
  );
