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
/** Write size: combines small chunks of a network to save calls. */
const chunkBytes = 256 * 1024;

/**
 * Stores blobs in a folder, two levels deep: `ab/cd/abcd…`. A blob is written as a draft, synced,
 * and renamed, so that a name exists only with all of its bytes.
 */
export function createFolderBlobStore(root: string, deps: { ids: Ids; clock: Clock }): BlobStore {
  const drafts = path.join(root, draftsFolder);
  const activeDrafts = new Set<string>();
  const pathOf = (name: string): string => {
    if (!isBlobName(name)) throw new Error('invalid blob name');
    return path.join(root, name.slice(0, 2), name.slice(2, 4), name);
  };
  const newName = (): string => Buffer.from(deps.ids.bytes(nameBytes)).toString('hex');
  const store = async (
    name: string,
    source: AsyncIterable<Uint8Array>,
    { bytesMax, sha256 }: { bytesMax: number; sha256?: Uint8Array | undefined },
  ): Promise<StoredBlob> => {
    const filePath = pathOf(name);
    await orUnavailable(mkdir(drafts, { recursive: true, mode: 0o700 }));
    const draftName = newName();
    const draft = path.join(drafts, draftName);
    const hash = createHash('sha256');
    let bytes = 0;
    activeDrafts.add(draftName);
    try {
      await using file = await open(draft, 'wx', 0o600);
      const writer = new ChunkWriter(file);
      for await (const chunk of source) {
        bytes += chunk.length;
        if (bytes > bytesMax) throw new BlobTooLarge();
        hash.update(chunk);
        await writer.add(chunk);
      }
      await writer.finish();
      const stored = { name, bytes, sha256: hash.digest() };
      assertChecksum(stored, sha256);
      // The same clock later determines its age.
      await file.utimes(deps.clock.now(), deps.clock.now());
      await file.sync();
      await makeFolders(root, path.dirname(filePath));
      await rename(draft, filePath);
      await fsyncFolder(path.dirname(filePath));
      return stored;
    } catch (error) {
      await rm(draft, { force: true });
      throw toUnavailable(error);
    } finally {
      activeDrafts.delete(draftName);
    }
  };
  return {
    write: (source, { bytesMax }) => store(newName(), source, { bytesMax }),
    put: async (name, source, expected) =>
      store(name, source, { bytesMax: Number.POSITIVE_INFINITY, sha256: expected?.sha256 }),
    read: (name, range) => streamFile(pathOf(name), range),
    openLocalFile: async (name) => ({ path: pathOf(name), [Symbol.asyncDispose]: async () => {} }),
    size: async (name) => (await nullIfMissing(stat(pathOf(name))))?.size ?? null,
    remove: (name) => rm(pathOf(name), { force: true }),
    listNamesBefore: (time) => namesBefore(root, time),
    list: () => list(root),
    getOrClaimOwner: (id) =>
      readOrClaimOwner(root, id, path.join(drafts, `${ownerFileName}-${deps.ids.uuid()}`)),
    check: () => requireAccess(root),
    removeDrafts: (before) => removeOldDrafts(drafts, before, activeDrafts),
  };
}

/** Reads the owner id; if there is none, writes `id` by way of `draft`. */
async function readOrClaimOwner(root: string, id: string, draft: string): Promise<string> {
  const filePath = path.join(root, ownerFileName);
  const existing = await nullIfMissing(readFile(filePath, 'utf8'));
  if (existing !== null) return existing;
  await orUnavailable(mkdir(path.dirname(draft), { recursive: true, mode: 0o700 }));
  await orUnavailable(writeFile(draft, id, { mode: 0o600, flush: true }));
  try {
    // A link is atomic and never replaces another one: the second caller finds the first.
    await link(draft, filePath);
    await fsyncFolder(root);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toUnavailable(error);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(filePath, 'utf8');
}

async function requireAccess(root: string): Promise<void> {
  try {
    // The first blob creates the folder.
    await nullIfMissing(access(root, constants.R_OK | constants.W_OK | constants.X_OK));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new BlobStoreUnavailable(`${root} cannot be read and written (${code})`, { cause });
  }
}

/** Opens the file with the first chunk, so that an unread stream holds no file open. */
async function* streamFile(
  filePath: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  yield* createReadStream(filePath, { highWaterMark: chunkBytes, ...range });
}

/** No space, I/O error, read-only file system, too many open files. */
const ofTheDisk = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'];

function toUnavailable(error: unknown): unknown {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (!ofTheDisk.includes(code)) return error;
  return new BlobStoreUnavailable(`the blob folder cannot be written (${code})`, {
    cause: error,
  });
}

const orUnavailable = <T>(operation: Promise<T>): Promise<T> =>
  operation.catch((error: unknown) => {
    throw toUnavailable(error);
  });

/**
 * Collects small chunks in one buffer: new buffers would exceed the speed of the garbage collector.
 */
class ChunkWriter {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #bufferedBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + chunkBytes - this.#bufferedBytes);
      this.#buffer.set(part, this.#bufferedBytes);
      this.#bufferedBytes += part.length;
      at += part.length;
      if (this.#bufferedBytes === chunkBytes) await this.finish();
    }
  }

  async finish(): Promise<void> {
    for (let at = 0; at < this.#bufferedBytes; ) {
      const { bytesWritten } = await this.#file.write(this.#buffer, at, this.#bufferedBytes - at);
      at += bytesWritten;
    }
    this.#bufferedBytes = 0;
  }
}

/** Creates folders durably: syncs the parent of each new folder. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = folder; created !== path.dirname(root); created = path.dirname(created)) {
    await fsyncFolder(path.dirname(created));
  }
}

/** Ignores other files, such as those of a file manager. */
const shardsIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));

/** The folders with the names of the blobs in them. */
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
  exclude: ReadonlySet<string>,
): Promise<void> {
  for (const name of await namesIn(drafts)) {
    if (exclude.has(name)) continue;
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

async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
