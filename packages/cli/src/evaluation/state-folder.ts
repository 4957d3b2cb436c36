import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** `mneme` in the folder for state of the user; null if there is none. */
export function stateFolderPath({ XDG_STATE_HOME, HOME, USERPROFILE }: Environment): string | null {
  const home = HOME || USERPROFILE;
  const folder = XDG_STATE_HOME || (home ? path.join(home, '.local', 'state') : null);
  return folder === null ? null : path.join(folder, 'mneme');
}
