import { createHash } from 'node:crypto';
import type { Tx } from '../../database/index.ts';
import type { CheckOptions, ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import type { App } from '../ctx.ts';
import { findOrphanBlobs } from './blobs.ts';

const stepRows = 200;
/** Reading one whole may take longer than everything else in a turn. */
const deepRows = 1;

/** The rows of an account that name blobs, in steps. */
interface BlobReferenceSource<Row> {
  readonly name: string;
  /** Whether the rows know the hashes of their blobs, so that a deep check reads them whole. */
  readonly hasHashes: boolean;
  readRows(
    tx: Tx,
    accountId: string,
    page: { after: string | null; limit: number },
  ): Promise<readonly Row[]>;
  /** What `after` goes on from. */
  keyOf(row: Row): string;
  toBlobReferences(row: Row): readonly BlobReference[];
}

/** Every row has its bytes in the blob store. */
export const createBlobCheck = <Row>(
  { name, hasHashes, readRows, keyOf, toBlobReferences }: BlobReferenceSource<Row>,
  repair?: ConsistencyCheck['repair'],
): ConsistencyCheck => ({
  name,
  read: async (ctx, tx, after, looking) => {
    const limit = looking.deep && hasHashes ? deepRows : stepRows;
    const rows = await readRows(tx, ctx.actor.accountId, { after, limit });
    const last = rows.at(-1);
    return {
      rows: rows.length,
      next: last !== undefined && rows.length === limit ? keyOf(last) : null,
      compare: () => wrongBlobs(ctx, rows.flatMap(toBlobReferences), looking),
    };
  },
  ...(repair ? { repair } : {}),
});

/** What a row says of its blob. */
interface BlobReference {
  /** Of the row. */
  readonly id: string;
  readonly blob: string;
  readonly bytes: number;
  /** Left out: of these only the number is known. */
  readonly sha256?: Uint8Array;
}

/** Blobs that are not there, or have other bytes than their rows say. */
async function wrongBlobs(
  app: App,
  named: readonly BlobReference[],
  { deep, signal }: CheckOptions,
): Promise<Inconsistency[]> {
  const wrong: { readonly blob: string; readonly fault: Inconsistency }[] = [];
  for (const { id, blob, bytes, sha256 } of named) {
    signal?.throwIfAborted();
    const there = await app.blobs.size(blob);
    const what = there === null ? 'are not there' : `are ${there}, not ${bytes}`;
    const isSame = there === bytes;
    const isOther = isSame && deep && sha256 && !(await hasHash(app, blob, sha256, signal));
    if (isSame && !isOther) continue;
    const message = `bytes of a file ${isOther ? 'are others than were stored' : what}`;
    wrong.push({ blob, fault: { code: 'bytes_differ', id, message } });
  }
  // What went while it was looked at is named no more.
  const gone = new Set(
    await findOrphanBlobs(
      app,
      wrong.map(({ blob }) => blob),
    ),
  );
  return wrong.filter(({ blob }) => !gone.has(blob)).map(({ fault }) => fault);
}

async function hasHash(
  { blobs }: App,
  blob: string,
  sha256: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const piece of blobs.read(blob)) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest().equals(sha256);
}
