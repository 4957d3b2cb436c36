import { open } from 'node:fs/promises';

/** So that the names in a folder, too, outlive a power cut. */
export async function fsyncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
