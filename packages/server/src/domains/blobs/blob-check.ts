import { createHash } from 'node:crypto';
import type { Tx } from '../../database/index.ts';
import type {
  ConsistencyCheck,
  ConsistencyCheckOptions,
  Inconsistency,
} from '../consistency-check.ts';
import type { App } from '../ctx.ts';
import { findOrphanBlobs } from './blobs.ts';

const stepRows = 200;
/** Hashing one whole file may take longer than all other work of a step. */
const deepRows = 1;

/** The rows of an account that reference blobs, in steps. */
interface BlobReferenceSource<Row> {
  readonly name: string;
  /** Whether rows store the hashes of their blobs, so that a deep check can compare content. */
  readonly hasHashes: boolean;
  readRows(
    tx: Tx,
    accountId: string,
    page: { after: string | null; limit: number },
  ): Promise<readonly Row[]>;
  /** The cursor of a row, for `after`. */
  keyOf(row: Row): string;
  toBlobReferences(row: Row): readonly BlobReference[];
}

/** Checks that the blob of every row exists with the stored size. */
export const createBlobCheck = <Row>(
  { name, hasHashes, readRows, keyOf, toBlobReferences }: BlobReferenceSource<Row>,
  repair?: ConsistencyCheck['repair'],
): ConsistencyCheck => ({
  name,
  read: async (ctx, tx, after, options) => {
    const limit = options.deep && hasHashes ? deepRows : stepRows;
    const rows = await readRows(tx, ctx.actor.accountId, { after, limit });
    const last = rows.at(-1);
    return {
      rows: rows.length,
      next: last !== undefined && rows.length === limit ? keyOf(last) : null,
      compare: () => findBlobInconsistencies(ctx, rows.flatMap(toBlobReferences), options),
    };
  },
  ...(repair ? { repair } : {}),
});

/** The reference of a row to its blob. */
interface BlobReference {
  /** Of the row. */
  readonly id: string;
  readonly blob: string;
  readonly bytes: number;
  /** Absent: only the size is known. */
  readonly sha256?: Uint8Array;
}

/** Blobs that are missing, or whose bytes differ from their rows. */
async function findBlobInconsistencies(
  app: App,
  references: readonly BlobReference[],
  { deep, signal }: ConsistencyCheckOptions,
): Promise<Inconsistency[]> {
  const mismatches: { readonly blob: string; readonly inconsistency: Inconsistency }[] = [];
  for (const { id, blob, bytes, sha256 } of references) {
    signal?.throwIfAborted();
    const storedBytes = await app.blobs.size(blob);
    const isSameSize = storedBytes === bytes;
    const isCorrupted = isSameSize && deep && sha256 && !(await hasHash(app, blob, sha256, signal));
    if (isSameSize && !isCorrupted) continue;
    const message = describeMismatch(storedBytes, bytes);
    mismatches.push({ blob, inconsistency: { code: 'bytes_differ', id, message } });
  }
  // Blobs removed during the check are not referenced any more.
  const orphans = new Set(
    await findOrphanBlobs(
      app,
      mismatches.map(({ blob }) => blob),
    ),
  );
  return mismatches
    .filter(({ blob }) => !orphans.has(blob))
    .map(({ inconsistency }) => inconsistency);
}

function describeMismatch(storedBytes: number | null, bytes: number): string {
  if (storedBytes === null) return 'the file is missing';
  if (storedBytes !== bytes) return `the file has ${storedBytes} bytes instead of ${bytes}`;
  return 'the content of the file does not match its hash';
}

async function hasHash(
  { blobs }: App,
  blob: string,
  sha256: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const chunk of blobs.read(blob)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest().equals(sha256);
}
