import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { type Blobs, BlobsUnavailable, BlobTooLarge, isBlobName, ownerMark } from './blobs.ts';

const nameBytes = 16;
const draftsFolder = 'new';
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
    if (!isBlobName(name)) throw new Error('that is no name of a blob');
    return path.join(root, name.slice(0, 2), name.slice(2, 4), name);
  };
  return {
    async write(source, { bytesMax }) {
      await orUnavailable(mkdir(drafts, { recursive: true, mode: 0o700 }));
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
        throw asUnavailable(error);
      } finally {
        writing.delete(name);
      }
      return { name, bytes, sha256: hash.digest() };
    },
    read: (name, range) => bytesOf(placeOf(name), range),
    file: async (name) => ({ path: placeOf(name), [Symbol.asyncDispose]: async () => {} }),
    size: async (name) => (await unlessGone(stat(placeOf(name))))?.size ?? null,
    remove: (name) => rm(placeOf(name), { force: true }),
    namesBefore: (time) => walk(root, time),
    async ownerFrom(id) {
      const place = path.join(root, ownerMark);
      const known = await unlessGone(readFile(place, 'utf8'));
      if (known !== null) return known;
      const draft = path.join(drafts, `${ownerMark}-${deps.ids.uuid()}`);
      await orUnavailable(mkdir(drafts, { recursive: true, mode: 0o700 }));
      await orUnavailable(writeFile(draft, id, { mode: 0o600, flush: true }));
      try {
        // Whole or not there, and never another's: whoever comes second finds the first.
        await link(draft, place);
        await syncFolder(root);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw asUnavailable(error);
      } finally {
        await rm(draft, { force: true });
      }
      return readFile(place, 'utf8');
    },
    // It lies beside the database, whose disk is looked at.
    check: async () => {},
    removeDrafts: (before) => removeOld(drafts, before, writing),
  };
}

/** Opened with the first piece: what is never read is never held open. */
async function* bytesOf(
  place: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  yield* createReadStream(place, { highWaterMark: pieceBytes, ...range });
}

/** No room, a broken disk, one that takes no changes, too many open files. */
const ofTheDisk = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'];

function asUnavailable(error: unknown): unknown {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (!ofTheDisk.includes(code)) return error;
  return new BlobsUnavailable(`the folder of blobs cannot be written (${code})`, { cause: error });
}

const orUnavailable = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw asUnavailable(error);
  });

/** Collects small pieces in one buffer: new ones would be garbage faster than it is collected. */
class PieceWriter {
  readonly #file: FileHandle;
  readonly #held = Buffer.allocUnsafeSlow(pieceBytes);
  #heldBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + pieceBytes - this.#heldBytes);
      this.#held.set(part, this.#heldBytes);
      this.#heldBytes += part.length;
      at += part.length;
      if (this.#heldBytes === pieceBytes) await this.finish();
    }
  }

  async finish(): Promise<void> {
    for (let at = 0; at < this.#heldBytes; ) {
      const { bytesWritten } = await this.#file.write(this.#held, at, this.#heldBytes - at);
      at += bytesWritten;
    }
    this.#heldBytes = 0;
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
    if (first === draftsFolder || first === ownerMark) continue;
    for (const second of await namesIn(path.join(root, first))) {
      const folder = path.join(root, first, second);
      const old: string[] = [];
      for (const name of await namesIn(folder)) {
        if (isBlobName(name) && (await isOlder(path.join(folder, name), before))) {
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
