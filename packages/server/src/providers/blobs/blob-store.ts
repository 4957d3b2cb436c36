/** A durably stored blob. */
export interface StoredBlob {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

export interface ListedBlob {
  readonly name: string;
  readonly bytes: number;
}

/** Stores bytes under generated names; the database knows their meaning. */
export interface BlobStore {
  /**
   * Durable when it resolves: bytes, name and folders. Each chunk is consumed before the next one
   * is requested. Throws BlobTooLarge beyond `bytesMax`, BlobStoreUnavailable, and the errors of
   * the source; then nothing is stored.
   */
  write(source: AsyncIterable<Uint8Array>, limits: { bytesMax: number }): Promise<StoredBlob>;
  /**
   * Like `write`, under an existing name, such as from a backup. Replaces a blob of that name.
   * Throws BlobChecksumMismatch if the bytes do not match `sha256`; then nothing changes.
   */
  put(
    name: string,
    source: AsyncIterable<Uint8Array>,
    expected?: { sha256?: Uint8Array },
  ): Promise<StoredBlob>;
  /**
   * Streams all bytes, or those from `start` to `end`, both inclusive. Opens nothing before the
   * first chunk is requested. Throws ENOENT if the blob does not exist, BlobStoreUnavailable.
   */
  read(name: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /** Provides its bytes as a read-only local file until it is disposed. */
  openLocalFile(name: string): Promise<{ readonly path: string } & AsyncDisposable>;
  /** Its size in bytes; null if it does not exist. */
  size(name: string): Promise<number | null>;
  /** No error if it does not exist: a removal may be repeated. */
  remove(name: string): Promise<void>;
  /** Names of blobs written before a time, in batches. */
  listNamesBefore(time: Date): AsyncIterable<string[]>;
  /** All blobs, in batches; blobs written or removed during the listing may be included or not. */
  list(): AsyncIterable<readonly ListedBlob[]>;
  /**
   * Returns the owner of the store; a store without an owner becomes that of `id`. A caller that
   * finds another owner must not remove unknown blobs. Throws BlobStoreUnavailable.
   */
  getOrClaimOwner(id: string): Promise<string>;
  /** Checks that the store is reachable; throws BlobStoreUnavailable with the reason. */
  check(): Promise<void>;
  /** Removes old drafts of processes that exited; never those of this process. */
  removeDrafts(before: Date): Promise<void>;
}

/** The object that stores the owner; not a blob name. */
export const ownerFileName = 'owner';

export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
}

/** The bytes do not match the expected checksum. */
export class BlobChecksumMismatch extends Error {
  override readonly name = 'BlobChecksumMismatch';

  constructor(blob: string) {
    super(`The bytes of blob ${blob} do not have the expected checksum.`);
  }
}

/** Throws BlobChecksumMismatch; without an expected checksum, accepts any bytes. */
export function assertChecksum(
  { name, sha256 }: StoredBlob,
  expected: Uint8Array | undefined,
): void {
  if (expected && !Buffer.from(sha256).equals(expected)) throw new BlobChecksumMismatch(name);
}

/** The store is unreachable or full; the request itself was valid. */
export class BlobStoreUnavailable extends Error {
  override readonly name = 'BlobStoreUnavailable';
}

/** The error of reading an unknown name, the same in every store. */
export const isBlobNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const namePattern = /^[0-9a-f]{32}$/;
export const isBlobName = (text: string): boolean => namePattern.test(text);
