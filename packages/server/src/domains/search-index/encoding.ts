import { HeldLease, leaseExpiry } from '../../database/index.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import { addIndexWrite, vectorChangeOf } from './index-writes.ts';
import { quantiseVector } from './model.ts';
import {
  acquireEncodingLease,
  encodingLeaseOf,
  filterProvisional,
  findAccountsToEncode,
  keepProvisional,
  listProvisional,
  replaceProvisional,
} from './store/provisional-vectors.ts';

/** Operations on provisional vectors, which the encoding worker replaces by final ones. */

export const accountsToEncode = ({ engine, clock }: App, limit: number): Promise<string[]> =>
  findAccountsToEncode(engine.db, clock.now(), limit);

/** Documents whose vector by the model is provisional, in the order in which they were written. */
export const listProvisionalDocuments = (
  { engine, actor }: Ctx,
  model: string,
  limit: number,
): Promise<string[]> => listProvisional(engine.db, actor.accountId, model, limit);

/** Of these documents, those whose vector by the model is provisional. */
export const filterProvisionalDocuments = (
  { engine, actor }: Ctx,
  model: string,
  ids: readonly string[],
): Promise<string[]> => filterProvisional(engine.db, actor.accountId, model, ids);

/** From the commit on, every search uses the final vectors. */
export function replaceProvisionalVectors(
  ctx: TxCtx,
  model: string,
  vectors: readonly { readonly id: string; readonly vector: Float32Array }[],
): void {
  if (vectors.length === 0) return;
  const { accountId } = ctx.actor;
  const rows = vectors.map(({ id, vector }) => ({ id, bytes: quantiseVector(vector) }));
  addIndexWrite(ctx, [accountId], {
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
