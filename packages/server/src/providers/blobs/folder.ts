import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  constants,
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
import { fsyncFolder } from '../../kernel/fsync-folder.ts';
import type { Ids } from '../../kernel/ids.ts';
import {
  assertChecksum,
  type BlobStore,
  BlobStoreUnavailable,
  BlobTooLarge,
  isBlobName,
  type ListedBlob,
  ownerFileName,
  type StoredBlob,
} from './blob-store.ts';

const nameBytes = 16;
const draftsFolder = 'new';
/** Written together, so that the small pieces of a network cost no call each. */
const pieceBytes = 256 * 1024;

/**
 * Blobs in a folder, two levels deep: `ab/cd/abcd…`. A blob is written beside, synced, and
 * renamed into its place, so that a name has all of its bytes or is not there.
 */
export function createFolderBlobStore(root: string, deps: { ids: Ids; clock: Clock }): BlobStore {
  const drafts = path.join(root, draftsFolder);
  const writing = new Set<string>();
  const placeOf = (name: string): string => {
    if (!isBlobName(name)) throw new Error('that is no name of a blob');
    return path.join(root, name.slice(0, 2), name.slice(2, 4), name);
  };
  const newName = (): string => Buffer.from(deps.ids.bytes(nameBytes)).toString('hex');
  const keep = async (
    name: string,
    source: AsyncIterable<Uint8Array>,
    { bytesMax, sha256 }: { bytesMax: number; sha256?: Uint8Array | undefined },
  ): Promise<StoredBlob> => {
    const place = placeOf(name);
    await orUnavailable(mkdir(drafts, { recursive: true, mode: 0o700 }));
    const draftName = newName();
    const draft = path.join(drafts, draftName);
    const hash = createHash('sha256');
    let bytes = 0;
    writing.add(draftName);
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
      const kept = { name, bytes, sha256: hash.digest() };
      assertChecksum(kept, sha256);
      // Its age is asked for by the same clock that it is told by.
      await file.utimes(deps.clock.now(), deps.clock.now());
      await file.sync();
      await makeFolders(root, path.dirname(place));
      await rename(draft, place);
      await fsyncFolder(path.dirname(place));
      return kept;
    } catch (error) {
      await rm(draft, { force: true });
      throw toUnavailable(error);
    } finally {
      writing.delete(draftName);
    }
  };
  return {
    write: (source, { bytesMax }) => keep(newName(), source, { bytesMax }),
    put: async (name, source, expected) =>
      keep(name, source, { bytesMax: Number.POSITIVE_INFINITY, sha256: expected?.sha256 }),
    read: (name, range) => streamFile(placeOf(name), range),
    openLocalFile: async (name) => ({ path: placeOf(name), [Symbol.asyncDispose]: async () => {} }),
    size: async (name) => (await nullIfMissing(stat(placeOf(name))))?.size ?? null,
    remove: (name) => rm(placeOf(name), { force: true }),
    listNamesBefore: (time) => namesBefore(root, time),
    list: () => list(root),
    getOrClaimOwner: (id) =>
      readOrClaimOwner(root, id, path.join(drafts, `${ownerFileName}-${deps.ids.uuid()}`)),
    check: () => requireAccess(root),
    removeDrafts: (before) => removeOldDrafts(drafts, before, writing),
  };
}

/** The id in the mark; where there is none, a mark with `id` is written by way of `draft`. */
async function readOrClaimOwner(root: string, id: string, draft: string): Promise<string> {
  const place = path.join(root, ownerFileName);
  const known = await nullIfMissing(readFile(place, 'utf8'));
  if (known !== null) return known;
  await orUnavailable(mkdir(path.dirname(draft), { recursive: true, mode: 0o700 }));
  await orUnavailable(writeFile(draft, id, { mode: 0o600, flush: true }));
  try {
    // Whole or not there, and never another's: whoever comes second finds the first.
    await link(draft, place);
    await fsyncFolder(root);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toUnavailable(error);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(place, 'utf8');
}

async function requireAccess(root: string): Promise<void> {
  try {
    // The first blob makes it.
    await nullIfMissing(access(root, constants.R_OK | constants.W_OK | constants.X_OK));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new BlobStoreUnavailable(`${root} cannot be read and written (${code})`, { cause });
  }
}

/** Opened with the first piece: what is never read is never held open. */
async function* streamFile(
  place: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  yield* createReadStream(place, { highWaterMark: pieceBytes, ...range });
}

/** No room, a broken disk, one that takes no changes, too many open files. */
const ofTheDisk = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'];

function toUnavailable(error: unknown): unknown {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (!ofTheDisk.includes(code)) return error;
  return new BlobStoreUnavailable(`the folder of blobs cannot be written (${code})`, {
    cause: error,
  });
}

const orUnavailable = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw toUnavailable(error);
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
    await fsyncFolder(path.dirname(made));
  }
}

/** Other files, such as those of a file manager, are none of ours. */
const shardsIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));

/** Folders with the names of the blobs in them. */
async function* walk(root: string): AsyncGenerator<{ folder: string; names: string[] }> {
  for (const first of await shardsIn(root)) {
    for (const second of await shardsIn(path.join(root, first))) {
      const folder = path.join(root, first, second);
      yield { folder, names: (await namesIn(folder)).filter(isBlobName) };
    }
  }
}

async function* namesBefore(root: string, before: Date): AsyncGenerator<string[]> {
  for await (const { folder, names } of walk(root)) {
    const old: string[] = [];
    for (const name of names) {
      if (await isOlder(path.join(folder, name), before)) old.push(name);
    }
    if (old.length > 0) yield old;
  }
}

async function* list(root: string): AsyncGenerator<ListedBlob[]> {
  for await (const { folder, names } of walk(root)) {
    const found: ListedBlob[] = [];
    for (const name of names) {
      const bytes = (await nullIfMissing(stat(path.join(folder, name))))?.size;
      if (bytes !== undefined) found.push({ name, bytes });
    }
    if (found.length > 0) yield found;
  }
}

async function removeOldDrafts(
  drafts: string,
  before: Date,
  but: ReadonlySet<string>,
): Promise<void> {
  for (const name of await namesIn(drafts)) {
    if (but.has(name)) continue;
    const draft = path.join(drafts, name);
    if (await isOlder(draft, before)) await rm(draft, { force: true });
  }
}

async function isOlder(file: string, before: Date): Promise<boolean> {
  const found = await nullIfMissing(stat(file));
  return found !== null && found.mtimeMs < before.getTime();
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await nullIfMissing(readdir(folder))) ?? [];

async function nullIfMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
