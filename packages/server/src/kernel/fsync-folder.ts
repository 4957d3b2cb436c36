import { open } from 'node:fs/promises';

/** Syncs a folder, so that the names of its files survive a power failure. */
export async function fsyncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
