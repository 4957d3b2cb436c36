import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, type FileHooks } from './filesystem.ts';

const START_PARAMETERS = [
  // -F is fsync=off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on'],
  // The default fdatasync does nothing in this build; fsync reaches our file system class.
  ...['-c', 'wal_sync_method=fsync'],
  // With 32 a walk over 50,000 entities spends half of its time in reading pages again.
  ...['-c', 'shared_buffers=64MB'],
  // Segments kept for reuse after a checkpoint; see the worker for when one is made.
  ...['-c', 'max_wal_size=160MB'],
  // 300 rows are read for each: 3,000 instead of 30,000, a tenth of the time that others wait.
  ...['-c', 'default_statistics_target=10'],
  ...['-c', 'TimeZone=UTC'],
];

/** Opens the database of a folder in this thread, making it when the folder is empty. */
export async function openPglite(folder: string, hooks: FileHooks): Promise<PGlite> {
  const fs = new DurableNodeFs(folder, hooks);
  try {
    return await PGlite.create({ fs, startParams: START_PARAMETERS });
  } catch (error) {
    if (fs.lastErrorMessage === '') throw error;
    throw new Error(fs.lastErrorMessage, { cause: error });
  }
}
