import path from 'node:path';
import { type FileLock, tryAcquireFileLock } from '../../kernel/file-lock.ts';
import { DataFolderInUse } from '../errors.ts';

/**
 * Acquires the exclusive lock of an existing data folder. Throws DataFolderInUse if another process
 * or this process holds it.
 */
export function lockDataFolder(dataDir: string): FileLock {
  const lock = tryAcquireFileLock(path.join(dataDir, 'lock.db'));
  if (lock === null) throw new DataFolderInUse(dataDir);
  return lock;
}
