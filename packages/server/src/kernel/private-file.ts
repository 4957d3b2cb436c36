import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { toUnusableError } from './data-folder.ts';
import { fsyncFolder } from './fsync-folder.ts';

/**
 * Writes a file that only its owner may read, whole or not at all, over one that is there. Throws
 * DataFolderUnusable, where its disk is full or read-only.
 */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const made = await writeTemporaryFile(file, content);
  try {
    await replacePrivateFile(made, file);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

/** Puts a file that was written before in the place of another one, in one step. */
export async function replacePrivateFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw await toUnusableError(to, error);
  }
  await fsyncFolder(path.dirname(to));
}

/** The file's text; where there is none, `text` becomes it. Of two at once the first one wins. */
export async function readOrCreatePrivateFile(file: string, text: string): Promise<string> {
  const present = await readFileIfExists(file);
  if (present !== null) return present;
  const made = await writeTemporaryFile(file, text);
  try {
    await link(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return await readFile(file, 'utf8');
    throw error;
  } finally {
    await rm(made, { force: true });
  }
  await fsyncFolder(path.dirname(file));
  return text;
}

/** Null where there is none. Throws DataFolderUnusable where a folder is in its place. */
export async function readFileIfExists(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw await toUnusableError(file, error);
  }
}

/** Named by chance: two containers on one folder may well have the same process id. */
async function writeTemporaryFile(file: string, content: string | Uint8Array): Promise<string> {
  const made = `${file}.${randomBytes(8).toString('hex')}.new`;
  try {
    await using handle = await open(made, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(made, { force: true });
    throw await toUnusableError(file, error);
  }
  return made;
}
