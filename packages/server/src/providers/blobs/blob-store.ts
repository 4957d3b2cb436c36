/** What was written, durable by then. */
export interface StoredBlob {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

export interface ListedBlob {
  readonly name: string;
  readonly bytes: number;
}

/** Bytes under names, beside the database that knows what they are. */
export interface BlobStore {
  /**
   * Durable when it resolves: bytes, name and folders. Each piece is used up before the next one
   * is asked for. Throws BlobTooLarge beyond `bytesMax`, BlobsUnavailable, and what the source
   * throws; then nothing is kept.
   */
  write(source: AsyncIterable<Uint8Array>, limits: { bytesMax: number }): Promise<StoredBlob>;
  /**
   * As `write`, under a name that the blob had elsewhere, such as in a backup. One of that name is
   * replaced. Throws BlobDiffers where the bytes are not those of `sha256`; then nothing changes.
   */
  put(
    name: string,
    source: AsyncIterable<Uint8Array>,
    expected?: { sha256?: Uint8Array },
  ): Promise<StoredBlob>;
  /**
   * Piece by piece, all or from `start` to `end`, both of them within; nothing is opened before
   * the first is asked for. Throws ENOENT where there is none of that name, BlobsUnavailable.
   */
  read(name: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /** Its bytes as a file of this machine, to be read alone, until it is disposed of. */
  openLocalFile(name: string): Promise<{ readonly path: string } & AsyncDisposable>;
  /** How many bytes it has; null: there is none of that name. */
  size(name: string): Promise<number | null>;
  /** Also where there is none: a removal may run again. */
  remove(name: string): Promise<void>;
  /** Names that were written before a time, some at once. */
  listNamesBefore(time: Date): AsyncIterable<string[]>;
  /** All blobs, some at once; what is written or removed meanwhile may be among them or not. */
  list(): AsyncIterable<readonly ListedBlob[]>;
  /**
   * Whose store it is: of `id` from now on, where nobody has said so before. Who finds another one
   * there must remove nothing that it does not know. Throws BlobsUnavailable.
   */
  getOrClaimOwner(id: string): Promise<string>;
  /** Whether it can be asked at all; throws BlobsUnavailable with the reason. */
  check(): Promise<void>;
  /** What a process that died was writing, where that is over for long; never what this one is. */
  removeDrafts(before: Date): Promise<void>;
}

/** Where a store says whose it is: no name of a blob. */
export const ownerFileName = 'owner';

export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
}

/** The bytes are not those that were expected under the name. */
export class BlobChecksumMismatch extends Error {
  override readonly name = 'BlobDiffers';

  constructor(blob: string) {
    super(`The bytes of blob ${blob} do not have the expected checksum.`);
  }
}

/** Throws BlobDiffers; without a checksum any bytes will do. */
export function assertChecksum(
  { name, sha256 }: StoredBlob,
  expected: Uint8Array | undefined,
): void {
  if (expected && !Buffer.from(sha256).equals(expected)) throw new BlobChecksumMismatch(name);
}

/** The store cannot be reached, or has no room: nothing is wrong with what was asked. */
export class BlobStoreUnavailable extends Error {
  override readonly name = 'BlobsUnavailable';
}

/** What whoever reads a blob of an unknown name is thrown, in every store. */
export const isBlobNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const namePattern = /^[0-9a-f]{32}$/;
export const isBlobName = (text: string): boolean => namePattern.test(text);
