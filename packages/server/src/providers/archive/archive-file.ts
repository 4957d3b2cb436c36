import { existsSync } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FileLock, tryAcquireFileLock } from '../../kernel/file-lock.ts';
import { fsyncFolder } from '../../kernel/fsync-folder.ts';
import type { Ids } from '../../kernel/ids.ts';
import { ArchiveFileNotWritable } from './errors.ts';

const randomBytes = 8;
/**
 * Syncs in steps, so that the fsyncs of a database on the same disk never wait for the whole file.
 */
const syncBytes = 32 * 2 ** 20;

/**
 * Writes a file atomically, readable only by its owner: until everything is on disk, its name is
 * `<file>.<random>.partial`. First removes such files that a killed process left for the same file.
 * Returns the number of bytes. Throws ArchiveFileNotWritable, also if the file exists and must not
 * be replaced, and the errors of the source.
 */
export async function writeArchiveFile(
  file: string,
  source: AsyncIterable<Uint8Array>,
  { replace, ids }: { readonly replace: boolean; readonly ids: Ids },
): Promise<number> {
  await assertReplaceable(file, replace);
  await toNotWritable(file, removePartialFiles(path.dirname(file), path.basename(file)));
  const random = Buffer.from(ids.bytes(randomBytes)).toString('hex');
  const partial = `${file}.${random}.partial`;
  const lock = lockIfPossible(partial);
  try {
    const bytes = await write(partial, source);
    await toNotWritable(file, publish(partial, file, replace));
    return bytes;
  } finally {
    await rm(partial, { force: true });
    // The lock is removed last: nobody would remove a partial file without a lock.
    await rm(lockPath(partial), { force: true });
    lock?.release();
  }
}

/**
 * Removes the partial files of processes that have exited: those for the file `name`, or all in the
 * folder if it is null. A process that still writes holds a lock.
 */
export async function removePartialFiles(folder: string, name: string | null): Promise<void> {
  for (const found of await readdir(folder)) {
    const [, partial, target] = lockPattern.exec(found) ?? [];
    if (partial === undefined || (name !== null && target !== name)) continue;
    const partialPath = path.join(folder, partial);
    const lock = lockIfPossible(partialPath);
    if (lock === null) continue;
    await rm(partialPath, { force: true });
    await rm(lockPath(partialPath), { force: true });
    lock.release();
  }
}

const lockPath = (partial: string): string => `${partial}.lock`;
const lockPattern = /^((.+)\.[0-9a-f]{16}\.partial)\.lock$/s;

/** Null while another process holds the lock, and on a file system without locks. */
function lockIfPossible(partial: string): FileLock | null {
  try {
    return tryAcquireFileLock(lockPath(partial));
  } catch {
    return null;
  }
}

async function assertReplaceable(file: string, replace: boolean): Promise<void> {
  const found = await toNotWritable(
    file,
    stat(file).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }),
  );
  if (found === null) return;
  if (!found.isFile())
    throw new ArchiveFileNotWritable(`${file} is not a file: choose another name.`);
  if (!replace) throw exists(file);
}

const exists = (file: string): ArchiveFileNotWritable =>
  new ArchiveFileNotWritable(`${file} already exists: remove it, or choose another name.`);

async function write(partial: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  let synced = 0;
  await using handle = await toNotWritable(partial, open(partial, 'wx', 0o600));
  for await (const chunk of source) {
    await toNotWritable(partial, handle.writeFile(chunk));
    bytes += chunk.length;
    if (bytes - synced < syncBytes) continue;
    await toNotWritable(partial, handle.datasync());
    synced = bytes;
  }
  await toNotWritable(partial, handle.sync());
  return bytes;
}

/** Errors of file systems without hard links, such as those of many USB drives. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function publish(partial: string, file: string, replace: boolean): Promise<void> {
  if (replace) await rename(partial, file);
  else await linkOrRename(partial, file);
  await fsyncFolder(path.dirname(file));
}

/** A link never replaces a file that was created in the meantime. */
async function linkOrRename(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw exists(file);
    if (!withoutLinks.includes(codeOf(error))) throw error;
    if (existsSync(file)) throw exists(file);
    await rename(partial, file);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

async function toNotWritable<T>(file: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const reason = errorReasons[codeOf(error)];
    if (reason === undefined) throw error;
    throw new ArchiveFileNotWritable(`${file} cannot be written: ${reason}.`, { cause: error });
  }
}

const errorReasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is too large for the file system',
  EROFS: 'the disk is mounted read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENAMETOOLONG: 'its name is too long',
};
