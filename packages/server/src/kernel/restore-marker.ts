import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DataFolderUnusable } from './data-folder.ts';
import { fsyncFolder } from './fsync-folder.ts';
import { readFileIfExists, writePrivateFile } from './private-file.ts';

const markerFileName = 'restore-in-progress.json';

const schema = z.object({
  /** The database of the archive, and the time of the backup. */
  database_id: z.string(),
  created_at: z.string(),
  /** All data of the archive is loaded; the remaining steps can be repeated. */
  is_loaded: z.boolean(),
});

/** An unfinished restore into a data folder. */
export type RestoreMarker = z.output<typeof schema>;

const fileOf = (dataDir: string): string => path.join(dataDir, markerFileName);

/** Null without an unfinished restore. Throws DataFolderUnusable for a damaged file. */
export async function readRestoreMarker(dataDir: string): Promise<RestoreMarker | null> {
  const file = fileOf(dataDir);
  const text = await readFileIfExists(file);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const message = `${file} is damaged: empty the data folder and repeat the restore.`;
    throw new DataFolderUnusable(message, { cause: error });
  }
}

export const writeRestoreMarker = (dataDir: string, marker: RestoreMarker): Promise<void> =>
  writePrivateFile(fileOf(dataDir), `${JSON.stringify(marker)}\n`);

export async function removeRestoreMarker(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
  await fsyncFolder(dataDir);
}

/** Call it before a server opens the folder. Throws DataFolderUnusable. */
export async function requireNoUnfinishedRestore(dataDir: string): Promise<void> {
  if ((await readRestoreMarker(dataDir)) === null) return;
  throw new DataFolderUnusable(
    `A restore into ${dataDir} is incomplete: run \`mneme restore\` with the same file again, or ` +
      'empty the folder.',
  );
}
