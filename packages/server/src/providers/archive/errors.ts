export type ArchiveRejectionReason =
  /** Not an archive of this program at all. */
  | 'foreign'
  | 'truncated'
  | 'corrupted'
  /** Written by a later version, in a format that this one does not know. */
  | 'newer_format'
  /** A name outside of the archive's folder, or something other than a plain file. */
  | 'unsafe_entry';

/** The archive cannot be used. The message is public: it says what is wrong, and what to do. */
export class ArchiveRejected extends Error {
  override readonly name = 'ArchiveRefused';
  readonly reason: ArchiveRejectionReason;
  /** The entry at which it was noticed. */
  readonly entry: string | null;

  constructor(
    reason: ArchiveRejectionReason,
    message: string,
    { entry = null, cause }: { entry?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reason = reason;
    this.entry = entry;
  }
}

/** A source gave more or fewer bytes than its entry announced. */
export class EntrySizeMismatch extends Error {
  override readonly name = 'EntrySizeMismatch';
  readonly entry: string;

  constructor(entry: string, size: number, found: string) {
    super(`The content of ${entry} has ${found} bytes, and ${size} were announced.`);
    this.entry = entry;
  }
}

/** A file cannot be created at the path that was given; the message says what to do. */
export class ArchiveFileNotWritable extends Error {
  override readonly name = 'ArchiveFileRefused';
}

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';

  constructor() {
    super('The passphrase does not open the secret key of this backup.');
  }
}
