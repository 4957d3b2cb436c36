import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Where a program is that is named without a folder; relative places of the PATH do not count. */
export async function findOnPath(name: string, PATH: string): Promise<string | null> {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    const place = path.join(folder, name);
    if (await isExecutable(place)) return place;
  }
  return null;
}

export const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
