import type { Tx } from '../../engine/index.ts';
import type { Ctx } from '../ctx.ts';
import { quantise } from './model.ts';
import { models } from './models.ts';
import {
  addVectors,
  documentsLacking,
  forgetModels,
  type Lacking,
  lockStream,
  removeOtherVectors,
  setModel,
  type Target,
} from './store/models.ts';
import { readPosition } from './store.ts';

/** What the job that changes accounts to another embedding model does to their documents. */

/** Where the account's documents are; null: it is no more. */
export const indexedTo = async ({ engine, actor }: Ctx): Promise<number | null> =>
  (await readPosition(engine.db, actor.accountId))?.indexed_to ?? null;

/** Documents without a whole vector of a model, in the order of ids. */
export const lackingVectors = ({ engine, actor }: Ctx, lacking: Lacking): Promise<string[]> =>
  documentsLacking(engine.db, actor.accountId, lacking);

/** Nothing finds by them yet: no position is taken. */
export async function growVectors(
  tx: Tx,
  accountId: string,
  target: Target,
  vectors: readonly { readonly id: string; readonly vector: Float32Array }[],
): Promise<void> {
  const rows = vectors.map(({ id, vector }) => ({ id, bytes: quantise(vector) }));
  if (rows.length > 0) await addVectors(tx, accountId, target, rows);
}

/**
 * From the commit on, every process searches the account by the other model. False, and nothing
 * done, where a document that changed past `since` has no vector of it yet: the lock on the
 * account's row keeps every writer out while that is looked at.
 */
export async function changeModel(
  ctx: Ctx,
  target: Target,
  { since, without }: Pick<Lacking, 'since' | 'without'>,
): Promise<boolean> {
  const { accountId } = ctx.actor;
  const isChanged = await ctx.engine.transaction(async (tx) => {
    if (!(await lockStream(tx, accountId))) return true;
    const { model, dimensions } = target;
    const one = { model, dimensions, since, without, after: null, rows: 1, bytes: 1 };
    if ((await documentsLacking(tx, accountId, one)).length > 0) return false;
    await setModel(tx, accountId, model);
    return true;
  });
  if (isChanged) models.of(ctx).learn(accountId, target.model);
  return isChanged;
}

/** One small step of erasing what the account is not searched by; returns how many went. */
export const eraseOtherVectors = ({ engine, actor }: Ctx, model: string, limit: number) =>
  removeOtherVectors(engine.db, actor.accountId, model, limit);

/** Forgets how models are made that no account is searched by any more. */
export const forgetUnused = ({ engine, embedder }: Pick<Ctx, 'engine' | 'embedder'>) =>
  forgetModels(engine.db, embedder.model);
