/** Where backups are kept: archives under names, in a folder or a bucket. */
export interface ArchiveStore extends AsyncDisposable {
  /** Where an archive is, for messages: a path, or `s3://bucket/key`. */
  locationOf(name: string): string;
  /**
   * Writes an archive that is complete or not there at all, in constant memory. Returns the number
   * of bytes. Throws what the source throws, and the reason where the store refuses.
   * @param signal gives up, also while the store does not answer
   */
  write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** The names of archives, sorted; other files and objects are left out. */
  list(): Promise<string[]>;
  /** Also where there is none: a removal may run again. */
  remove(name: string): Promise<void>;
  /** Removes what killed processes left of archives that they were writing before a time. */
  removeUnfinished(before: Date): Promise<void>;
}

/** Which files and objects are archives of the store; it touches no others. */
export interface ArchiveNamePattern {
  /** What all names begin with: a bucket lists these alone. */
  readonly namePrefix: string;
  readonly pattern: RegExp;
}

/** The store cannot be used: the message has the reason. */
export class ArchiveStoreUnavailable extends Error {
  override readonly name = 'ArchiveStoreUnavailable';
}
