export { isDue, isLeaseOver } from './due.ts';
export type { Finding } from './durability/integrity.ts';
export { findDamagedPages, nextRelation, pagesPerStep } from './durability/pages.ts';
export type {
  Db,
  Engine,
  EngineSettings,
  Tx,
} from './engine.ts';
export {
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
} from './errors.ts';
export { maintain } from './maintain.ts';
export { migrate } from './migrate.ts';
export { openEngine } from './open.ts';
export { readPage } from './page.ts';
export { readSnapshot } from './snapshot.ts';
export type { Tables } from './tables.ts';
export { takeTurn } from './turn.ts';
