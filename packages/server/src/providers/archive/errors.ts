export type ArchiveRejectionReason =
  /** Not an archive of this program. */
  | 'foreign'
  | 'truncated'
  | 'corrupted'
  /** Written by a later version in an unknown format. */
  | 'newer_format'
  /** A name outside the archive's folder, or something other than a regular file. */
  | 'unsafe_entry';

/** The archive is unusable. The message is public: it states the problem and the remedy. */
export class ArchiveRejected extends Error {
  override readonly name = 'ArchiveRejected';
  readonly reason: ArchiveRejectionReason;
  /** The entry at which the problem was detected. */
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

/** A source returned more or fewer bytes than its entry announced. */
export class EntrySizeMismatch extends Error {
  override readonly name = 'EntrySizeMismatch';
  readonly entry: string;

  constructor(entry: string, size: number, found: string) {
    super(`The content of ${entry} has ${found} bytes instead of the announced ${size}.`);
    this.entry = entry;
  }
}

/** The file cannot be created at this path; the message contains the remedy. */
export class ArchiveFileNotWritable extends Error {
  override readonly name = 'ArchiveFileNotWritable';
}

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';

  constructor() {
    super('The passphrase does not decrypt the secret key of this backup.');
  }
}

/** The file of an archive cannot be opened; the message says why. */
export class ArchiveUnreadable extends Error {
  override readonly name = 'ArchiveUnreadable';

  constructor(file: string, cause: NodeJS.ErrnoException) {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      EACCES: 'is not readable for this user',
    };
    super(
      `The file ${file} ${reasons[cause.code ?? ''] ?? `cannot be opened (${cause.message})`}.`,
      {
        cause,
      },
    );
  }
}
