/** Another process holds the data folder, or this process has opened it already. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly dataDir: string;

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another Mneme process. ` +
        'Two processes in one folder would lose data. Stop the other process, or use another ' +
        'folder.',
    );
    this.dataDir = dataDir;
  }
}

const MB = 2 ** 20;

/** The free disk space is below the configured minimum. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';

  constructor(dataDir: string, freeBytesMin: number) {
    const least = Math.ceil(freeBytesMin / MB);
    super(
      least === 0
        ? `The disk of the data folder ${dataDir} is full: free up space.`
        : `The disk of the data folder ${dataDir} has less than ${least} MB free: free up space, ` +
            'or lower MNEME_DISK_FREE_MIN_MB.',
    );
  }
}

/** A newer version of the program has migrated the database. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** Another version of the program migrated the database while this process was using it. */
export class SchemaChanged extends Error {
  override readonly name = 'SchemaChanged';
  /** The engine logs it once, on detection. */
  readonly isLogged = true;

  /** If `found` is null, the database has no migrations. */
  constructor(expected: number, found: number | null) {
    const what =
      found !== null && found > expected
        ? `A newer version of Mneme has upgraded the database to schema version ${found}, and ` +
          `this process supports only version ${expected}. It has stopped reading and writing. ` +
          'Replace it with the newer version.'
        : 'The schema of the database was replaced while this process used it (version ' +
          `${found ?? 'unknown'}, expected ${expected}). The process has stopped reading and ` +
          'writing. Restart it.';
    super(what);
  }
}

/** A migration locks the database. The transaction had no effect and can be repeated. */
export class MigrationInProgress extends Error {
  override readonly name = 'MigrationInProgress';
  /** SQLSTATE lock_not_available. */
  readonly code = '55P03';

  constructor(cause: unknown) {
    super('The database is being upgraded', { cause });
  }
}

/** A migration file differs from the applied one, or the migrations folder is malformed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The server is unusable: too old, unreachable, or it rejects the connection. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable';
}

/** The embedded database has stopped; the process must be restarted. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** Files of the embedded database are damaged or missing. */
export class DatabaseDamaged extends EngineFailed {
  constructor(folder: string, reason: string) {
    const [line = ''] = reason.split('\n', 1);
    super(
      `The database in ${folder} does not open (${line}). Its files were not changed: ` +
        'restore a backup of the folder, or choose another data folder for an empty database.',
    );
  }
}

/**
 * A node of a distributed database does not respond. Its accounts cannot be read or changed; the
 * others are not affected. After a commit, whether it took place is not known.
 */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';

  /** @param node `host:port`; null: not known */
  constructor(node: string | null, options?: ErrorOptions) {
    super(`The database node ${node ?? 'of the account'} does not respond`, options);
  }
}

/** Another backup of the database is running. */
export class BackupInProgress extends Error {
  override readonly name = 'BackupInProgress';

  constructor() {
    super('A backup of this database is already in progress. Retry when it has finished.');
  }
}

/** The backup cannot continue; the database itself is not affected. */
export class BackupInterrupted extends Error {
  override readonly name = 'BackupInterrupted';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup was interrupted: ${reason}. Start it again.`, options);
  }
}

/** The entries of a backup cannot be restored: damaged, incomplete, or not for this database. */
export class DatabaseBackupInvalid extends Error {
  override readonly name = 'DatabaseBackupInvalid';
}

/** The engine was closed before or during the call. */
export class EngineClosed extends Error {
  override readonly name = 'EngineClosed';

  constructor() {
    super('The database engine is closed');
  }
}

/** `engine.db` or `engine.transaction` was used inside a transaction's callback. */
export class NestedTransaction extends Error {
  override readonly name = 'NestedTransaction';

  constructor() {
    super(
      'Only `tx` may be used inside a transaction: ' +
        'pass `tx` instead of using engine.db or a second engine.transaction',
    );
  }
}

/** A statement failed, the callback ignored the error, and the commit became a rollback. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';

  constructor() {
    super('The transaction was rolled back: it caught the error of a failed statement');
  }
}

/** The fields of PostgreSQL's ErrorResponse that callers read; same names as in `pg`. */
export interface DatabaseErrorFields {
  message: string;
  severity?: string;
  /** SQLSTATE. */
  code?: string;
  detail?: string;
  hint?: string;
  position?: string;
  where?: string;
  schema?: string;
  table?: string;
  column?: string;
  dataType?: string;
  constraint?: string;
}

/** An error of the embedded database, with the shape of `DatabaseError` of `pg`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  declare readonly severity?: string;
  declare readonly code?: string;
  declare readonly detail?: string;
  declare readonly constraint?: string;
  declare readonly table?: string;
  declare readonly column?: string;

  constructor(fields: DatabaseErrorFields) {
    super(fields.message);
    Object.assign(this, fields);
  }
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const QUERY_CANCELED = '57014';
const READ_ONLY = '25006';
const RETRYABLE = new Set(['40001', '40P01']);
/**
 * SQLSTATE: connection failure, read-only, permanent conflict, insufficient resources, lock not
 * available, canceled, I/O error.
 */
const STORAGE_ERROR_CODE = /^(?:08|40|53|57|58)|^25006$|^55P03$/;
/** SQLSTATE: a damaged page of a table or an index; a missing file. */
const DATA_DAMAGE_SQLSTATE = /^XX00[12]$|^58P01$/;
const NETWORK_ERROR_CODE = /^(?:ECONN\w+|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)$/;
/** Messages of `pg` without a code for a connection that is lost, silent or not established. */
const CONNECTION_ERROR_MESSAGE =
  /^Connection terminated|^timeout e|^Query read timeout|connection error and is not queryable/;
/** What Citus reports as an internal error while its server ends. */
const SERVER_ENDS_MESSAGE = /^postmaster was shut down/;
/** SQLSTATE: connection failure, too many connections, server starting or shutting down. */
const CONNECTION_ERROR_SQLSTATE = /^(?:08|53[34]|57P)/;

function hasCode(error: unknown, code: string, constraint: string | undefined): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== code) return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

/** The number of a shard, which a distributed database adds to the names of its constraints. */
const shardSuffix = /_\d{6,}$/;

/** A node of a distributed database may report the name in the message only. */
function constraintOf(error: Error): string | undefined {
  const reported = 'constraint' in error ? error.constraint : undefined;
  const name = reported ?? / constraint "([^"]+)"/.exec(error.message)?.[1];
  return typeof name === 'string' ? name.replace(shardSuffix, '') : undefined;
}

/** True for SQLSTATE 23505; with `constraint`, only for that constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, UNIQUE_VIOLATION, constraint);
}

/** True for SQLSTATE 23503; with `constraint`, only for that foreign key. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** True if the database currently rejects changes; reads may work. */
export function isReadOnlyError(error: unknown): boolean {
  return hasCode(error, READ_ONLY, undefined);
}

/** True if a statement exceeded its timeout (SQLSTATE 57014). */
export function isStatementTimeout(error: unknown): boolean {
  return hasCode(error, QUERY_CANCELED, undefined);
}

/** True if the database is unreachable: other callers would fail now, too. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof EngineFailed || error instanceof EngineClosed) return true;
  if (error instanceof SchemaChanged || error instanceof MigrationInProgress) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    CONNECTION_ERROR_SQLSTATE.test(code) ||
    NETWORK_ERROR_CODE.test(code) ||
    CONNECTION_ERROR_MESSAGE.test(error.message) ||
    SERVER_ENDS_MESSAGE.test(error.message)
  );
}

/** True if stored data is damaged: a retry would fail as well. */
export function isDamagedDataError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && DATA_DAMAGE_SQLSTATE.test(String(error.code));
}

/** True if the storage failed and not the request: a retry may succeed. */
export function isStorageError(error: unknown): boolean {
  if (isConnectionError(error) || error instanceof NodeUnavailable) return true;
  if (isDamagedDataError(error)) return false;
  return error instanceof Error && 'code' in error && STORAGE_ERROR_CODE.test(String(error.code));
}

/** True for a serialization failure or a deadlock: a repeated transaction may succeed. */
export function isRetryableError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code));
}

/** The error of the embedded engine for a statement timeout, worded like that of a server. */
export function createStatementTimeoutError(limitMs: number): DatabaseError {
  return new DatabaseError({
    message: `canceling statement due to statement timeout (${limitMs} ms)`,
    severity: 'ERROR',
    code: QUERY_CANCELED,
  });
}
