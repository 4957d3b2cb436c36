import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The data folder is not this process's to write; the message says what to do. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';
}

/** What may stand in it, made by an earlier start, perhaps of another user. */
const checkedEntries = [
  '',
  'pg',
  'pg/global',
  'pg/pg_wal',
  'lock.db',
  'secret-key',
  'admin-key',
  'database.json',
  'erasures.ndjson',
  'acknowledged-position',
  'acknowledged-position.server',
  'integrity.json',
  'integrity.server.json',
];

/** Makes the folder where there is none. Throws DataFolderUnusable. */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFolderUnusable(await describeFileError(dataDir, error), { cause: error });
  }
  await requireReadWrite(dataDir);
}

/** What is there of the folder can be read and written. Throws DataFolderUnusable. */
export async function requireReadWrite(dataDir: string): Promise<void> {
  for (const name of checkedEntries) {
    const target = path.join(dataDir, name);
    try {
      await access(target, constants.R_OK | constants.W_OK);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      throw new DataFolderUnusable(await describeFileError(target, error), { cause: error });
    }
  }
}

const actionableCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP'];

/** The error of a file of the folder that cannot be read or written, where one can mend it. */
export async function toUnusableError(file: string, error: unknown): Promise<unknown> {
  if (!actionableCodes.includes(codeOf(error))) return error;
  return new DataFolderUnusable(await describeFileError(file, error), { cause: error });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

async function describeFileError(target: string, error: unknown): Promise<string> {
  const other = 'choose another data folder with MNEME_DATA_DIR';
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${target} cannot be written, since its disk is full: make room, or ${other}.`;
    case 'EROFS':
      return `${target} is on a disk that is mounted read-only: mount it writable, or ${other}.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${target} is no folder: move what is there away, or ${other}.`;
    case 'EISDIR':
      return `${target} is a folder, and a file is needed: move it away, or ${other}.`;
    case 'EACCES':
    case 'EPERM':
      return (
        `${target} may not be read and written by this user${await ownerHint(target)}: ` +
        `give it to the user that runs Mneme (chown -R), or ${other}.`
      );
    default:
      return `${target} cannot be used (${codeOf(error)}): make it usable, or ${other}.`;
  }
}

/** Names nobody where the folder itself may not be looked into. */
async function ownerHint(target: string): Promise<string> {
  const own = process.getuid?.();
  const { uid } = await stat(target).catch(() => ({ uid: undefined }));
  if (own === undefined || uid === undefined) return '';
  return ` (uid ${own}; it belongs to uid ${uid})`;
}
