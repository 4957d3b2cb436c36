import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

/** What was written, durable by then. */
export interface Kept {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

/** Bytes under names, beside the database that knows what they are. */
export interface Blobs {
  /**
   * Durable when it resolves: bytes, name and folders. Throws BlobTooLarge beyond `bytesMax`, and
   * what the source throws; then nothing is kept.
   */
  write(source: AsyncIterable<Uint8Array>, limits: { bytesMax: number }): Promise<Kept>;
  /** Piece by piece; throws ENOENT where there is none of that name. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Also where there is none: a removal may run again. */
  remove(name: string): Promise<void>;
  /** Names that were written before a time, some at once. */
  namesBefore(time: Date): AsyncIterable<string[]>;
  /** What a process that died was writing, where that is over for long; never what this one is. */
  removeDrafts(before: Date): Promise<void>;
}

export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
}

const nameBytes = 16;
const draftsFolder = 'new';
const namePattern = /^[0-9a-f]{32}$/;
/** Written together, so that the small pieces of a network cost no call each. */
const pieceBytes = 256 * 1024;

/**
 * Blobs in a folder, two levels deep: `ab/cd/abcd…`. A blob is written beside, synced, and
 * renamed into its place, so that a name has all of its bytes or is not there.
 */
export function createFolderBlobs(root: string, deps: { ids: Ids; clock: Clock }): Blobs {
  const drafts = path.join(root, draftsFolder);
  const writing = new Set<string>();
  const placeOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error('that is no name of a blob');
    return path.join(root, name.slice(0, 2), name.slice(2, 4), name);
  };
  return {
    async write(source, { bytesMax }) {
      await mkdir(drafts, { recursive: true, mode: 0o700 });
      const name = Buffer.from(deps.ids.bytes(nameBytes)).toString('hex');
      const draft = path.join(drafts, name);
      const hash = createHash('sha256');
      let bytes = 0;
      writing.add(name);
      try {
        await using file = await open(draft, 'wx', 0o600);
        const writer = new PieceWriter(file);
        for await (const piece of source) {
          bytes += piece.length;
          if (bytes > bytesMax) throw new BlobTooLarge();
          hash.update(piece);
          await writer.add(piece);
        }
        await writer.finish();
        // Its age is asked for by the same clock that it is told by.
        await file.utimes(deps.clock.now(), deps.clock.now());
        await file.sync();
        const place = placeOf(name);
        await makeFolders(root, path.dirname(place));
        await rename(draft, place);
        await syncFolder(path.dirname(place));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      } finally {
        writing.delete(name);
      }
      return { name, bytes, sha256: hash.digest() };
    },
    read: (name) => createReadStream(placeOf(name), { highWaterMark: pieceBytes }),
    remove: (name) => rm(placeOf(name), { force: true }),
    namesBefore: (time) => walk(root, time),
    removeDrafts: (before) => removeOld(drafts, before, writing),
  };
}

/** Collects small pieces, and never holds more than one piece of the file in memory. */
class PieceWriter {
  readonly #file: FileHandle;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes >= pieceBytes) await this.finish();
  }

  async finish(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (let piece = Buffer.concat(held); piece.length > 0; ) {
      const { bytesWritten } = await this.#file.write(piece);
      piece = piece.subarray(bytesWritten);
    }
  }
}

/** With their names durable: of each that is made its parent is synced. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== path.dirname(root); made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

async function* walk(root: string, before: Date): AsyncGenerator<string[]> {
  for (const first of await namesIn(root)) {
    if (first === draftsFolder) continue;
    for (const second of await namesIn(path.join(root, first))) {
      const folder = path.join(root, first, second);
      const old: string[] = [];
      for (const name of await namesIn(folder)) {
        if (namePattern.test(name) && (await isOlder(path.join(folder, name), before))) {
          old.push(name);
        }
      }
      if (old.length > 0) yield old;
    }
  }
}

async function removeOld(drafts: string, before: Date, but: ReadonlySet<string>): Promise<void> {
  for (const name of await namesIn(drafts)) {
    if (but.has(name)) continue;
    const draft = path.join(drafts, name);
    if (await isOlder(draft, before)) await rm(draft, { force: true });
  }
}

async function isOlder(file: string, before: Date): Promise<boolean> {
  const found = await unlessGone(stat(file));
  return found !== null && found.mtimeMs < before.getTime();
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await unlessGone(readdir(folder))) ?? [];

async function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
