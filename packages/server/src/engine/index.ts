export type {
  Db,
  EmbeddedSettings,
  Engine,
  EngineDeps,
  EngineLog,
  EngineSettings,
  ServerSettings,
  Tx,
} from './engine.ts';
export { openEngine } from './engine.ts';
export {
  DatabaseError,
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  EngineClosed,
  EngineFailed,
  isForeignKeyViolation,
  isStatementTimeout,
  isUniqueViolation,
  MigrationRefused,
  NestedUse,
  TransactionAborted,
} from './errors.ts';
export { maintain } from './maintain.ts';
export { migrate } from './migrate.ts';
export type { Tables } from './tables.ts';
