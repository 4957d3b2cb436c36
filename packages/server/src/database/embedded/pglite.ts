import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, type FileSystemHooks } from './filesystem.ts';

/** Parameters of PostgreSQL, also when it creates a database. */
export const embeddedStartParameters: readonly string[] = [
  // -F is fsync=off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on'],
  // The default, fdatasync, does nothing in this build; fsync calls DurableNodeFs.
  ...['-c', 'wal_sync_method=fsync'],
  // With 32 MB, a traversal of 50,000 entities spends half of its time rereading pages.
  ...['-c', 'shared_buffers=64MB'],
  // WAL retained for reuse after a checkpoint; worker.ts decides when to run one.
  ...['-c', 'max_wal_size=160MB'],
  // ANALYZE samples 300 rows per unit: 3,000 instead of 30,000 rows, a tenth of the blocking time.
  ...['-c', 'default_statistics_target=10'],
  ...['-c', 'TimeZone=UTC'],
];

/**
 * Statements for a new database. They remove the databases that only `create database` would copy,
 * which Mneme never runs: half of the files of a new data folder, and a third of its size.
 */
export const preparationStatements: readonly string[] = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
];

/** Opens the database of a folder in this thread, and creates it if the folder is empty. */
export async function openPglite(folder: string, hooks: FileSystemHooks): Promise<PGlite> {
  const fs = new DurableNodeFs(folder, hooks);
  try {
    return await PGlite.create({ fs, startParams: [...embeddedStartParameters] });
  } catch (error) {
    if (fs.lastErrorMessage === '') throw error;
    throw new Error(fs.lastErrorMessage, { cause: error });
  }
}
