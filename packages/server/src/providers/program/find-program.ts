import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Searches the PATH for a program; relative entries of the PATH are ignored. */
export async function findOnPath(name: string, PATH: string): Promise<string | null> {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    const file = path.join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return null;
}

export const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
