import type { Kysely, Transaction } from 'kysely';
import type { CopyConnection } from './backup/copy-connection.ts';
import type { DatabaseBackup } from './backup/database-backup.ts';
import type { IntegrityFindings } from './durability/integrity-findings.ts';
import type { EngineLog } from './engine-log.ts';
import type { EngineFailed, SchemaChanged } from './errors.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Tables } from './tables.ts';

export type { EngineLog } from './engine-log.ts';

/** Handle for statements: that of the engine or of one transaction. */
export type Db = Kysely<Tables>;

/** Handle of an open transaction. */
export type Tx = Transaction<Tables>;

export interface TransactionOptions {
  /** All statements see the snapshot of the first one, and writes fail. */
  readonly isSnapshot?: boolean;
}

export interface PoolConnections {
  readonly busy: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** A PostgreSQL database, embedded in the process or on a server. */
export interface Engine extends AsyncDisposable {
  readonly kind: 'embedded' | 'server';

  /**
   * The tenant tables are distributed by account over the nodes of a cluster (Citus), as found when
   * the engine was opened.
   */
  readonly isDistributed: boolean;

  /** Reads and single statements outside a transaction. Throws NestedTransaction inside one. */
  readonly db: Db;

  /**
   * Runs `fn` in one transaction: commits when it resolves, rolls back when it throws, and returns
   * its result. Inside, only `tx` may be used. After a serialization failure or a deadlock, `fn`
   * runs again, at most 5 times in total: its effects outside the database must be idempotent.
   *
   * Throws the errors of `fn`, NestedTransaction inside another transaction, TransactionAborted if
   * `fn` continued after a failed statement; for SchemaChanged and MigrationInProgress see
   * `requireSchema`.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;

  /** Resolves when the database responds; throws otherwise. */
  ping(): Promise<void>;

  /**
   * Starts a consistent backup of the whole database while statements continue. The embedded engine
   * copies its files (`restoreFiles`), one backup at a time. A server's tables are read in one
   * snapshot on a connection outside the pool (`loadTables`).
   *
   * Throws BackupInProgress on the embedded engine during another backup. Iterating the entries
   * throws BackupInterrupted if the backup has to be restarted.
   */
  backup(): Promise<DatabaseBackup>;

  /**
   * For `dumpTables` and `loadTables`. On the embedded engine, all other statements wait until it
   * is disposed.
   */
  openCopyConnection(): Promise<CopyConnection>;

  /** The disk of the embedded database is nearly full: reads work, changes are rejected. */
  readonly isDiskFull: boolean;

  /**
   * Requires a schema version in this process. Once another process has migrated a server database
   * further, each transaction and each single statement that writes throws SchemaChanged; while a
   * migration waits or runs for a long time, MigrationInProgress. An embedded database is used by
   * one process only. Null accepts any version.
   */
  requireSchema(version: number | null): void;

  /** Set once the database has another schema version; the engine then rejects all use. */
  readonly schemaChanged: SchemaChanged | null;

  /** False while every change would be rejected: work that must record its result waits. */
  readonly canWrite: boolean;

  /** The connections of the pool; null for the embedded engine, which has none. */
  readonly connections: PoolConnections | null;

  /**
   * The nodes of a distributed database that do not respond, as `host:port`. Statements on their
   * accounts throw NodeUnavailable, at once, until a node responds again.
   */
  readonly unavailableNodes: readonly string[];

  /** The processes that use this database. */
  readonly processes: ProcessGroup;

  /** Findings about the stored data: lost writes, damaged pages. */
  readonly integrity: IntegrityFindings;
}

export interface EmbeddedSettings {
  kind: 'embedded';
  /** Created with mode 0700 if missing; the database is in its folder `pg`. */
  dataDir: string;
  /** A database that a new data folder copies, instead of creating one without tables. */
  template?: string | null;
  /** Below this free space on the disk the database rejects changes. Default: 0. */
  freeBytesMin?: number;
  /** Timeout of one statement. Default: 30 s. */
  statementTimeoutMs?: number;
}

export interface ServerSettings {
  kind: 'server';
  /** A `postgres://` URL. */
  url: string;
  /** Maximum number of connections. */
  poolMax: number;
  /** Timeout of one statement. Default: 30 s. */
  statementTimeoutMs?: number;
  /** Folder in which the last acknowledged position is recorded. Default: not recorded. */
  dataDir?: string;
}

export type EngineSettings = EmbeddedSettings | ServerSettings;

export interface EngineDeps {
  log: EngineLog;
  /** Records spans of transactions, and of statements outside of them. Default: false. */
  isTraced?: boolean;
  /** Returns a number in [0, 1) for the jitter of retries. Default: no jitter. */
  random?: () => number;
  /** Waits between retries. Default: a Node.js timer. */
  sleep?: (ms: number) => Promise<void>;
  /** Called once when the embedded database has stopped permanently: exit the process. */
  onFailure?: (error: EngineFailed) => void;
}
