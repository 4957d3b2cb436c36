/** Storage of backups: named archives in a folder or a bucket. */
export interface ArchiveStore extends AsyncDisposable {
  /** Location of an archive for messages: a path, or `s3://bucket/key`. */
  locationOf(name: string): string;
  /**
   * Writes an archive atomically, in constant memory. Returns the number of bytes. Throws the
   * errors of the source, and ArchiveStoreUnavailable or an error with the reason if the store
   * rejects it.
   * @param signal cancels the write, also while the store does not respond
   */
  write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** Sorted names of the archives; other files and objects are ignored. */
  list(): Promise<string[]>;
  /** No error if it does not exist: a removal may be repeated. */
  remove(name: string): Promise<void>;
  /** Removes unfinished archives that killed processes began before a time. */
  removeUnfinished(before: Date): Promise<void>;
}

/** Identifies the files and objects that are archives of the store; it never changes others. */
export interface ArchiveNamePattern {
  /** Common prefix of all names: a bucket lists only these. */
  readonly namePrefix: string;
  readonly pattern: RegExp;
}

/** The store is unusable; the message contains the reason. */
export class ArchiveStoreUnavailable extends Error {
  override readonly name = 'ArchiveStoreUnavailable';
}
