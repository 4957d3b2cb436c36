export { accountRow } from './account-row.ts';
export { acrossAccounts, acrossAvailableAccounts } from './across-accounts.ts';
export { advisoryLock, sharedAdvisoryLock } from './advisory-lock.ts';
export { listTablesWithDeadRows, runAutovacuum, vacuumStaleTables } from './autovacuum.ts';
export type { BackupEntry, DatabaseBackup } from './backup/database-backup.ts';
export { dumpTables, TABLE_LIST_NAME } from './backup/dump-tables.ts';
export { loadTables } from './backup/load-tables.ts';
export { EMBEDDED_POSTGRES_MAJOR, restoreFiles } from './backup/restore-files.ts';
export { parseTableList, type TableList } from './backup/table-list.ts';
export { countOtherConnections, listRelations } from './catalog-queries.ts';
export { findClusterProblems } from './distribution/check-cluster.ts';
export { distributeTables, requireCompleteDistribution } from './distribution/distribute.ts';
export { readTableStates, type TableState } from './distribution/table-states.ts';
export { findDamagedPages, pagesPerBatch, readNextRelation } from './durability/damaged-pages.ts';
export type { IntegrityFinding } from './durability/integrity-findings.ts';
export { deleteRecordedWalPosition } from './durability/wal-position-recorder.ts';
export { findMissingDatabaseFiles } from './embedded/missing-files.ts';
export type {
  Db,
  Engine,
  EngineDeps,
  EngineSettings,
  Tx,
} from './engine.ts';
export {
  BackupInProgress,
  BackupInterrupted,
  DatabaseBackupInvalid,
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  EngineFailed,
  isConnectionError,
  isDamagedDataError,
  isForeignKeyViolation,
  isReadOnlyError,
  isStorageError,
  isUniqueViolation,
  MigrationError,
  MigrationInProgress,
  NodeUnavailable,
  SchemaChanged,
} from './errors.ts';
export { HeldLease, leaseExpiry } from './held-lease.ts';
export { insertRows, type RowColumn, recordset } from './insert-rows.ts';
export {
  isDue,
  isLeaseAvailable,
  isLeaseExpired,
  type LeasedRow,
  releaseAllLeases,
  releaseLease,
  renewLease,
} from './lease.ts';
export { logFailure } from './log-failure.ts';
export {
  listAppliedMigrations,
  migrate,
  readMigrations,
  readSchemaState,
  type SchemaState,
} from './migrate.ts';
export { openEngine } from './open.ts';
export { readPostgresVersion } from './postgres-version.ts';
export { readPage } from './read-page.ts';
export { SharedPoller } from './shared-poller.ts';
export { runInSnapshot } from './snapshot.ts';
export type { Tables } from './tables.ts';
export {
  ensureDatabaseTemplate,
  findDatabaseTemplate,
  removeOtherDatabaseTemplates,
} from './template.ts';
