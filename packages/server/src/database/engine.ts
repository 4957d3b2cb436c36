import type { Kysely, Transaction } from 'kysely';
import type { CopyConnection } from './backup/copy-connection.ts';
import type { DatabaseBackup } from './backup/database-backup.ts';
import type { IntegrityReport } from './durability/integrity-report.ts';
import type { EngineFailed, SchemaChanged } from './errors.ts';
import type { EngineLog } from './log.ts';
import type { Tables } from './tables.ts';

export type { EngineLog } from './log.ts';

/** A handle for statements: the engine's own, or that of one transaction. */
export type Db = Kysely<Tables>;

/** The handle of one open transaction. */
export type Tx = Transaction<Tables>;

export interface TransactionOptions {
  /** All statements see the database as it was at the first one, and nothing can be written. */
  readonly isSnapshot?: boolean;
}

/** One PostgreSQL, embedded in the process or reached as a server. */
export interface Engine extends AsyncDisposable {
  readonly kind: 'embedded' | 'server';

  /** Reads and single statements outside a transaction. Throws NestedUse inside one. */
  readonly db: Db;

  /**
   * Runs fn in one transaction: commits when it resolves, rolls back when it throws, and returns
   * what it returns. Only `tx` may be used inside. fn is run again, up to 5 times in all, after a
   * serialization failure or a deadlock, so its effects outside the database must bear that.
   *
   * Throws what fn throws, NestedUse inside another transaction, TransactionAborted when fn went
   * on after a failed statement; SchemaChanged and MigrationUnderWay see `requireSchema`.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;

  /** Resolves when the database answers; throws otherwise. */
  ping(): Promise<void>;

  /**
   * Starts a consistent copy of the whole database; statements go on. The embedded engine copies
   * the files (`restoreFiles`), one copy at a time; a server's tables are read in one snapshot by
   * a connection outside of the pool (`loadTables`).
   *
   * Throws BackupInProgress on the embedded engine during another backup. Iterating the entries
   * throws BackupInterrupted where the backup has to be started again.
   */
  backup(): Promise<DatabaseBackup>;

  /** For `dumpTables` and `loadTables`. The embedded engine waits until it is disposed. */
  openCopyConnection(): Promise<CopyConnection>;

  /** The embedded database's disk is nearly full: it is read, and refuses every change. */
  readonly isDiskFull: boolean;

  /**
   * Ties this process to a schema version. Once another process has migrated a server database
   * further, each transaction and each single statement that writes throws SchemaChanged; while a
   * migration waits or runs for long, MigrationUnderWay. An embedded database has one process.
   * Null: any version will do.
   */
  requireSchema(version: number | null): void;

  /** Set once the database was found to have another schema version; it is never used again. */
  readonly schemaChanged: SchemaChanged | null;

  /** False while every change would be refused: work that has to record its outcome waits. */
  readonly canWrite: boolean;

  /** What was found of the stored data: lost writes, damaged pages. */
  readonly integrity: IntegrityReport;
}

export interface EmbeddedSettings {
  kind: 'embedded';
  /** Made with mode 0700 when it is missing; the database goes to `pg` inside. */
  dataDir: string;
  /** Below so much free space on its disk the database refuses changes; 0 unless told. */
  freeBytesMin?: number;
  /** Limit of one statement, 30 s unless told. */
  statementTimeoutMs?: number;
}

export interface ServerSettings {
  kind: 'server';
  /** A `postgres://` URL. */
  url: string;
  /** Connections held at most. */
  poolMax: number;
  /** Limit of one statement, 30 s unless told. */
  statementTimeoutMs?: number;
  /** Where the last acknowledged position is recorded; left out: nowhere. */
  dataDir?: string;
}

export type EngineSettings = EmbeddedSettings | ServerSettings;

export interface EngineDeps {
  log: EngineLog;
  /** A number in [0, 1) for the jitter of retries; without it there is none. */
  random?: () => number;
  /** Waits between retries; timers of Node unless told. */
  sleep?: (ms: number) => Promise<void>;
  /** Called once when the embedded database has stopped for good: end the process. */
  onFailure?: (error: EngineFailed) => void;
}
