export type { CopyEntry, DatabaseCopy } from './backup/database-copy.ts';
export { dumpTables, TABLE_LIST_NAME } from './backup/dump-tables.ts';
export { loadTables } from './backup/load-tables.ts';
export { EMBEDDED_POSTGRES_MAJOR, restoreFiles } from './backup/restore-files.ts';
export { parseTableList, type TableList } from './backup/table-list.ts';
export { countOtherConnections, listRelations } from './database-use.ts';
export { isDue, isLeaseOver } from './due.ts';
export type { Finding } from './durability/integrity.ts';
export { findDamagedPages, nextRelation, pagesPerStep } from './durability/pages.ts';
export { forgetPosition } from './durability/position-recorder.ts';
export { missingDatabaseFiles } from './embedded/missing-files.ts';
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
  DatabaseCopyInvalid,
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  EngineFailed,
  isDamaged,
  isForeignKeyViolation,
  isOutOfReach,
  isReadOnly,
  isStorageFault,
  isUniqueViolation,
  MigrationRefused,
  MigrationUnderWay,
  SchemaChanged,
} from './errors.ts';
export { maintain, tablesWithDeadRows, vacuumSince } from './maintain.ts';
export {
  appliedMigrations,
  migrate,
  readMigrations,
  readSchemaState,
  type SchemaState,
} from './migrate.ts';
export { openEngine } from './open.ts';
export { readPage } from './page.ts';
export { readSnapshot } from './snapshot.ts';
export type { Tables } from './tables.ts';
export { takeTurn } from './turn.ts';
export { readPostgresVersion } from './version.ts';
