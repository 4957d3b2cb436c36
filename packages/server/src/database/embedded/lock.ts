import path from 'node:path';
import { type FileLock, tryAcquireFileLock } from '../../kernel/file-lock.ts';
import { DataFolderInUse } from '../errors.ts';

/**
 * Takes the exclusive lock of a data folder that exists. Throws DataFolderInUse when it is held, by
 * another process or by this one.
 */
export function lockFolder(dataDir: string): FileLock {
  const lock = tryAcquireFileLock(path.join(dataDir, 'lock.db'));
  if (lock === null) throw new DataFolderInUse(dataDir);
  return lock;
}
