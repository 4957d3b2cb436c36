import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** The kernel gives it back when the process dies, however it dies. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the exclusive lock of a file, which is made where there is none; null while it is held, by
 * another process or by this one. Node has no file locks of its own: the file is an empty SQLite
 * database that is locked exclusively. Nothing else in the process may open it, since closing any
 * other descriptor of it would drop a POSIX lock. Throws where the file system has no locks.
 */
export function tryAcquireFileLock(file: string): FileLock | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Without a journal beside it: nothing is ever written.
    database.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (isBusy) return null;
    throw error;
  }
  return { release: () => database.close() };
}
