import { link, open, readFile, rename, rm } from 'node:fs/promises';

/** Writes a file that only its owner may read, whole or not at all, over one that is there. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await rename(await draft(file, text), file);
}

/** The file's text; where there is none, `text` becomes it. Of two at once the first one wins. */
export async function readOrWritePrivateFile(file: string, text: string): Promise<string> {
  const present = await readIfPresent(file);
  if (present !== null) return present;
  const made = await draft(file, text);
  try {
    await link(made, file);
    return text;
  } catch (error) {
    const others = await readIfPresent(file);
    if (others === null) throw error;
    return others;
  } finally {
    await rm(made, { force: true });
  }
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function draft(file: string, text: string): Promise<string> {
  const path = `${file}.${process.pid}.new`;
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return path;
}
