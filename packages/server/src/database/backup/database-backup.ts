/** One file of a copy. */
export interface BackupEntry {
  /**
   * Relative, with `/` between its parts: `base/5/1259`, `tables/memories/000001.copy`. A name that
   * ends with `/` is a folder: its size is 0.
   */
  readonly name: string;
  /** Bytes of the content, exactly. */
  readonly size: number;
  /** To be read before the next entry is requested; it can be left unread. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A row of the table `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  /** The name of the file. */
  readonly name: string;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

/**
 * A consistent copy of the whole database while it is being made. Dispose of it in every case:
 * until then the database keeps what the copy needs.
 */
export interface DatabaseBackup extends AsyncDisposable {
  /** `files`: for `restoreFiles`. `tables`: for `loadTables`. */
  readonly kind: 'files' | 'tables';
  /** As the database reports it: `18.6`. */
  readonly postgresVersion: string;
  /** Migrations applied when the copy was started, in order. */
  readonly migrations: readonly AppliedMigration[];
  /** The size of the database on its disk, for a progress display. */
  readonly approximateBytes: number;
  /** The entries in the order in which restoring needs them; can be iterated once. */
  entries(): AsyncIterable<BackupEntry>;
}

/** The content of an entry that is in memory. */
export async function* toAsyncIterable(
  ...chunks: readonly Uint8Array[]
): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
