import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** The operating system releases the lock when the process ends in any way. */
export interface FileLock {
  release(): void;
}

/**
 * Acquires an exclusive lock on a file, which it creates if necessary. Returns null while another
 * process, or this one, holds the lock. Node has no file locks, so the file is an empty SQLite
 * database with an exclusive lock. Nothing else in the process may open the file, because closing
 * another descriptor would release a POSIX lock. Throws if the file system has no locks.
 */
export function tryAcquireFileLock(file: string): FileLock | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Without a journal file, because nothing is written.
    database.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (isBusy) return null;
    throw error;
  }
  return { release: () => database.close() };
}
