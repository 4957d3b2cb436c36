import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { toDataFolderError } from './data-folder.ts';
import { fsyncFolder } from './fsync-folder.ts';

/**
 * Writes or replaces a file atomically, readable only by its owner. Throws DataFolderUnusable, for
 * example if the disk is full or read-only.
 */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = await writeTemporaryFile(file, content);
  try {
    await replacePrivateFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Replaces a file with another one atomically and durably. */
export async function replacePrivateFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw await toDataFolderError(to, error);
  }
  await fsyncFolder(path.dirname(to));
}

/** Reads a file, or creates it with `text`. With concurrent calls, the first one wins. */
export async function readOrCreatePrivateFile(file: string, text: string): Promise<string> {
  const present = await readFileIfExists(file);
  if (present !== null) return present;
  const temporary = await writeTemporaryFile(file, text);
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return await readFile(file, 'utf8');
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  await fsyncFolder(path.dirname(file));
  return text;
}

/** Null if the file does not exist. Throws DataFolderUnusable, for example for a folder. */
export async function readFileIfExists(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw await toDataFolderError(file, error);
  }
}

/** Uses a random name: two containers on one folder may have the same process id. */
async function writeTemporaryFile(file: string, content: string | Uint8Array): Promise<string> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.new`;
  try {
    await using handle = await open(temporary, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw await toDataFolderError(file, error);
  }
  return temporary;
}
