import { type Db, HeldLease, leaseExpiry } from '../../database/index.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import { addIndexWrite, vectorChangeOf } from './index-writes.ts';
import { quantiseVector } from './model.ts';
import { quantisePassageVectors } from './passage-vectors.ts';
import {
  acquireEncodingLease,
  encodingLeaseOf,
  filterProvisional,
  findAccountsToEncode,
  hasVectorsToEncode,
  keepProvisional,
  listPendingEncodings,
  type PendingEncoding,
  readTerms,
  replaceProvisional,
} from './store/provisional-vectors.ts';

/** Operations on provisional vectors, which the encoding worker replaces by final ones. */

export const accountsToEncode = ({ engine, clock }: App, limit: number): Promise<string[]> =>
  findAccountsToEncode(engine, clock.now(), limit);

/** Whether an account has vectors to encode. */
export const hasTextsToEncode = ({ engine }: App, accountId: string): Promise<boolean> =>
  hasVectorsToEncode(engine.db, accountId);

/** What is to be encoded by the model, in the order in which it was written. */
export const listDocumentsToEncode = (
  { engine, actor }: Ctx,
  model: string,
  limit: number,
): Promise<PendingEncoding[]> => listPendingEncodings(engine.db, actor.accountId, model, limit);

/** The stored terms of documents: their passages are those that get vectors. */
export const readDocumentTerms = (
  accountId: string,
  db: Db,
  ids: readonly string[],
): Promise<Map<string, string>> => readTerms(db, accountId, ids);

/** Of these documents, those whose vector by the model is provisional. */
export const filterProvisionalDocuments = (
  { engine, actor }: Ctx,
  model: string,
  ids: readonly string[],
): Promise<string[]> => filterProvisional(engine.db, actor.accountId, model, ids);

/** Final vectors of a document. */
export interface EncodedVectors {
  readonly id: string;
  /** Null: the stored one is final. */
  readonly vector: Float32Array | null;
  /** By passage vector, null in it where the model rejects the text; null: none, or not now. */
  readonly passages: readonly (Float32Array | null)[] | null;
}

/** From the commit on, every search uses the final vectors. */
export function replaceProvisionalVectors(
  ctx: TxCtx,
  { model, dimensions }: { readonly model: string; readonly dimensions: number },
  encoded: readonly EncodedVectors[],
): void {
  if (encoded.length === 0) return;
  const { accountId } = ctx.actor;
  const rows = encoded.map(({ id, vector, passages }) => ({
    id,
    vector: vector && quantiseVector(vector),
    passages: passages && quantisePassageVectors(passages, dimensions),
  }));
  addIndexWrite(ctx, accountId, {
    write: replaceProvisional(accountId, model, rows),
    change: vectorChangeOf(model, rows),
  });
}

/** Keeps provisional vectors for good: there is no text to encode, or the model rejects it. */
export const keepProvisionalVectors = (
  { engine, actor }: Ctx,
  model: string,
  ids: readonly string[],
): Promise<void> => keepProvisional(engine.db, actor.accountId, model, ids);

/** Null if another process encodes the account's texts. */
export async function leaseEncoding(
  app: App,
  accountId: string,
  holder: string,
): Promise<HeldLease | null> {
  const lease = { holder, until: leaseExpiry(app) };
  const { engine, clock } = app;
  if (!(await acquireEncodingLease(engine.db, accountId, lease, clock.now()))) return null;
  return new HeldLease(app, { name: 'encoding', row: encodingLeaseOf(accountId), holder });
}
