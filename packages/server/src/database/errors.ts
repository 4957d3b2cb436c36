/** The data folder is held by another process (or by this one, opened twice). */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly dataDir: string;

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another Mneme process. ` +
        'Two processes on one folder would lose data: stop the other, or choose another folder.',
    );
    this.dataDir = dataDir;
  }
}

const MB = 2 ** 20;

/** There is less free space than the database is to leave. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';

  constructor(dataDir: string, freeBytesMin: number) {
    const least = Math.ceil(freeBytesMin / MB);
    super(
      least === 0
        ? `The disk of the data folder ${dataDir} is full: make room.`
        : `The disk of the data folder ${dataDir} has less than ${least} MB free: make room, or ` +
            'lower MNEME_DISK_FREE_MIN_MB.',
    );
  }
}

/** The database was migrated by a newer version of the program. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** Another version of the program has migrated the database while this process used it. */
export class SchemaChanged extends Error {
  override readonly name = 'SchemaChanged';
  /** The engine logs it once, when it is found. */
  readonly isLogged = true;

  /** `found` null: the database has no migrations any more. */
  constructor(expected: number, found: number | null) {
    const what =
      found !== null && found > expected
        ? `A newer version of Mneme has upgraded the database to schema version ${found}, and ` +
          `this process supports version ${expected}: it stores and sends nothing any more. ` +
          'Replace it with the newer version.'
        : 'The schema of the database was replaced while this process used it (version ' +
          `${found ?? 'unknown'}, expected ${expected}): it stores and sends nothing any more. ` +
          'Restart it.';
    super(what);
  }
}

/** A migration holds the database; the transaction has had no effect and may be repeated. */
export class MigrationInProgress extends Error {
  override readonly name = 'MigrationUnderWay';
  /** SQLSTATE lock_not_available, as PostgreSQL words it. */
  readonly code = '55P03';

  constructor(cause: unknown) {
    super('The database is being upgraded', { cause });
  }
}

/** A migration file does not match what was applied, or the folder of migrations is malformed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationRefused';
}

/** The server cannot be used: too old, or not PostgreSQL as we need it. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable';
}

/** The embedded database has stopped; the process has to be started again. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** The files of the embedded database are not as it left them. */
export class DatabaseDamaged extends EngineFailed {
  constructor(folder: string, reason: string) {
    const [line = ''] = reason.split('\n', 1);
    super(
      `The database in ${folder} does not open (${line}). Its files are left as they are: ` +
        'restore a backup of the folder, or choose another data folder for an empty database.',
    );
  }
}

/** The database is being copied already. */
export class BackupInProgress extends Error {
  override readonly name = 'BackupInProgress';

  constructor() {
    super('A backup of this database is already in progress: retry when it has finished.');
  }
}

/** What a backup needs is gone; the database itself is not harmed. */
export class BackupInterrupted extends Error {
  override readonly name = 'BackupInterrupted';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup was interrupted: ${reason}. Start it again.`, options);
  }
}

/** The entries of a copy cannot be restored: damaged, incomplete, or not for this database. */
export class DatabaseBackupInvalid extends Error {
  override readonly name = 'DatabaseCopyInvalid';
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
  override readonly name = 'NestedUse';

  constructor() {
    super(
      'Inside a transaction only its own handle may be used: ' +
        'pass `tx` on instead of engine.db or a second engine.transaction',
    );
  }
}

/** A statement failed, the callback went on all the same, and the commit became a rollback. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';

  constructor() {
    super('The transaction was rolled back: a statement in it had failed and the error was caught');
  }
}

/** The fields of PostgreSQL's ErrorResponse that callers look at; same names as in `pg`. */
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

/** An error answered by the embedded database, shaped like `DatabaseError` of `pg`. */
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
 * SQLSTATE: no connection, no change now, a conflict that stays, no room, no lock, cancelled, a
 * disk that fails.
 */
const STORAGE_ERROR_CODE = /^(?:08|40|53|57|58)|^25006$|^55P03$/;
/** SQLSTATE: a page of a table or an index that is not what was written; a file that is gone. */
const DATA_DAMAGE_SQLSTATE = /^XX00[12]$|^58P01$/;
const NETWORK_ERROR_CODE = /^(?:ECONN\w+|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)$/;
/** What `pg` says, in words alone, of a connection that is gone, is silent or does not come. */
const CONNECTION_ERROR_MESSAGE =
  /^Connection terminated|^timeout e|^Query read timeout|connection error and is not queryable/;
/** SQLSTATE: no connection, no more of them, a server on its way out or in. */
const CONNECTION_ERROR_SQLSTATE = /^(?:08|53[34]|57P)/;

function hasCode(error: unknown, code: string, constraint: string | undefined): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== code) return false;
  if (constraint === undefined) return true;
  return 'constraint' in error && error.constraint === constraint;
}

/** True for SQLSTATE 23505; with `constraint`, only when that one (or a unique index) is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, UNIQUE_VIOLATION, constraint);
}

/** True for SQLSTATE 23503; with `constraint`, only when that foreign key is named. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** True when the database takes no changes just now; it may well be read. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, READ_ONLY, undefined);
}

/** True when a statement ran past the engine's limit (SQLSTATE 57014). */
export function isStatementTimeout(error: unknown): boolean {
  return hasCode(error, QUERY_CANCELED, undefined);
}

/** True when the database cannot be asked at all: nobody else would fare better just now. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof EngineFailed || error instanceof EngineClosed) return true;
  if (error instanceof SchemaChanged || error instanceof MigrationInProgress) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    CONNECTION_ERROR_SQLSTATE.test(code) ||
    NETWORK_ERROR_CODE.test(code) ||
    CONNECTION_ERROR_MESSAGE.test(error.message)
  );
}

/** True when what was stored cannot be read any more: another try will not fare better. */
export function isDamagedDataError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && DATA_DAMAGE_SQLSTATE.test(String(error.code));
}

/** True when the storage failed and not what it was asked: another try may fare better. */
export function isStorageError(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  if (isDamagedDataError(error)) return false;
  return error instanceof Error && 'code' in error && STORAGE_ERROR_CODE.test(String(error.code));
}

/** True for a serialization failure or a deadlock: the transaction may succeed when run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code));
}

/** What the embedded engine gives for a statement past its limit, as a server words it. */
export function createStatementTimeoutError(limitMs: number): DatabaseError {
  return new DatabaseError({
    message: `canceling statement due to statement timeout (${limitMs} ms)`,
    severity: 'ERROR',
    code: QUERY_CANCELED,
  });
}
