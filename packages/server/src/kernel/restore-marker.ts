import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DataFolderUnusable } from './data-folder.ts';
import { fsyncFolder } from './fsync-folder.ts';
import { readFileIfExists, writePrivateFile } from './private-file.ts';

const name = 'restore-in-progress.json';

const schema = z.object({
  /** Which archive: the database it is of, and when it was made. */
  database_id: z.string(),
  created_at: z.string(),
  /** Everything of the archive is in place; what follows can be done again. */
  is_loaded: z.boolean(),
});

/** A restore into a data folder that has not finished. */
export type RestoreMarker = z.output<typeof schema>;

const fileOf = (dataDir: string): string => path.join(dataDir, name);

/** Null where no restore is unfinished. Throws DataFolderUnusable for a file that is damaged. */
export async function readRestoreMarker(dataDir: string): Promise<RestoreMarker | null> {
  const file = fileOf(dataDir);
  const text = await readFileIfExists(file);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const message = `${file} cannot be read: empty the data folder and restore again.`;
    throw new DataFolderUnusable(message, { cause: error });
  }
}

export const writeRestoreMarker = (dataDir: string, marker: RestoreMarker): Promise<void> =>
  writePrivateFile(fileOf(dataDir), `${JSON.stringify(marker)}\n`);

export async function removeRestoreMarker(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
  await fsyncFolder(dataDir);
}

/** Before a server opens the folder. Throws DataFolderUnusable while a restore is unfinished. */
export async function requireNoUnfinishedRestore(dataDir: string): Promise<void> {
  if ((await readRestoreMarker(dataDir)) === null) return;
  throw new DataFolderUnusable(
    `A restore into ${dataDir} has not finished: run \`mneme restore\` with the same file again, ` +
      'or empty the folder.',
  );
}
