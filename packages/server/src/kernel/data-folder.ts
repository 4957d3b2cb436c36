import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The data folder is not usable; the message says what to do. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';
}

/** Files that an earlier start, perhaps of another user, may have created. */
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

/** Creates the folder if it does not exist. Throws DataFolderUnusable. */
export async function ensureDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFolderUnusable(await describeFileError(dataDir, error), { cause: error });
  }
  await requireDataFolderAccess(dataDir);
}

/**
 * Checks that existing files are readable and writable, and that root does not use the folder of
 * another user. Throws DataFolderUnusable.
 */
export async function requireDataFolderAccess(dataDir: string): Promise<void> {
  if (process.getuid?.() === 0) await requireFolderOfRoot(dataDir);
  for (const name of checkedEntries) {
    const target = path.join(dataDir, name);
    try {
      await access(target, constants.R_OK | constants.W_OK);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') continue;
      throw new DataFolderUnusable(await describeFileError(target, error), { cause: error });
    }
  }
}

/** Like PostgreSQL: what root writes there, the user of the service cannot read afterwards. */
async function requireFolderOfRoot(dataDir: string): Promise<void> {
  for (const folder of [dataDir, path.join(dataDir, 'pg')]) {
    const { uid } = await stat(folder).catch(() => ({ uid: 0 }));
    if (uid === 0) continue;
    throw new DataFolderUnusable(
      `${folder} belongs to uid ${uid}, which could not read the files that root would write ` +
        'there: run this as that user (runuser -u <user> -- <command>), ' +
        'or change the owner of the data folder (chown -R).',
    );
  }
}

const actionableCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP'];

/** Converts an error of a file into DataFolderUnusable if the user can correct it. */
export async function toDataFolderError(file: string, error: unknown): Promise<unknown> {
  if (!actionableCodes.includes(errorCode(error))) return error;
  return new DataFolderUnusable(await describeFileError(file, error), { cause: error });
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

async function describeFileError(target: string, error: unknown): Promise<string> {
  const alternative = 'choose another data folder with MNEME_DATA_DIR';
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${target} cannot be written because its disk is full: free space, or ${alternative}.`;
    case 'EROFS':
      return `${target} is on a read-only file system: mount it writable, or ${alternative}.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${target} is not a folder: move the file away, or ${alternative}.`;
    case 'EISDIR':
      return `${target} is a folder instead of a file: move it away, or ${alternative}.`;
    case 'EACCES':
    case 'EPERM':
      return (
        `${target} is not readable and writable by this user${await ownerHint(target)}: ` +
        `change its owner to the user that runs Mneme (chown -R), or ${alternative}.`
      );
    default:
      return (
        `${target} cannot be used (${errorCode(error)}): correct the cause, ` + `or ${alternative}.`
      );
  }
}

/** The user and the owner; '' if the owner is not readable. */
async function ownerHint(target: string): Promise<string> {
  const userId = process.getuid?.();
  const { uid: ownerId } = await stat(target).catch(() => ({ uid: undefined }));
  if (userId === undefined || ownerId === undefined) return '';
  return ` (uid ${userId}; it belongs to uid ${ownerId})`;
}
