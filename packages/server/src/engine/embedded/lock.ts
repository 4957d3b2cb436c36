import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DataFolderInUse } from '../errors.ts';

const SQLITE_BUSY = 5;

/** A lock on a data folder; the kernel gives it back when the process dies, however it dies. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes the exclusive lock of a data folder that exists: an exclusively locked SQLite file, since
 * Node has no file locks of its own. Nothing else in the process may open `lock.db`: closing any
 * other descriptor of it would drop a POSIX lock.
 *
 * Throws DataFolderInUse when it is held, by another process or by this one.
 */
export function lockFolder(dataDir: string): FolderLock {
  const file = new DatabaseSync(path.join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new DataFolderInUse(dataDir);
    }
    throw error;
  }
  return { release: () => file.close() };
}
