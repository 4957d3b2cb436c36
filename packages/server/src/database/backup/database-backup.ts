/** One file of a backup. */
export interface BackupEntry {
  /**
   * Relative path with `/` separators: `base/5/1259`, `tables/memories/000001.copy`. A name that
   * ends with `/` is a folder, and its size is 0.
   */
  readonly name: string;
  /** The exact size of the content in bytes. */
  readonly size: number;
  /** Read it before requesting the next entry, or skip it. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A row of the table `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  /** File name. */
  readonly name: string;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

/**
 * A consistent backup of the whole database, in progress. Always dispose of it: until then the
 * database retains the WAL or the snapshot that the backup needs.
 */
export interface DatabaseBackup extends AsyncDisposable {
  /** `files`: for `restoreFiles`. `tables`: for `loadTables`. */
  readonly kind: 'files' | 'tables';
  /** Version as the database reports it: `18.6`. */
  readonly postgresVersion: string;
  /** Migrations applied when the backup started, in order. */
  readonly migrations: readonly AppliedMigration[];
  /** Size of the database on disk, for a progress display. */
  readonly approximateBytes: number;
  /** The entries in the order that a restore needs. Can be iterated once. */
  entries(): AsyncIterable<BackupEntry>;
}

/** The content of an in-memory entry. */
export async function* toAsyncIterable(
  ...chunks: readonly Uint8Array[]
): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
