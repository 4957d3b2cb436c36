import type { Tx } from '../../database/index.ts';
import type { Ctx } from '../ctx.ts';
import { quantise } from './model.ts';
import { modelRegistry } from './model-registry.ts';
import { readIndexPosition } from './store/documents.ts';
import {
  addVectors,
  deleteModelsExcept,
  deleteOtherVectors,
  type EmbeddingModelRef,
  lockAccountPosition,
  scanVectors,
  setAccountModel,
  type VectorScanRange,
} from './store/models.ts';

/** What the job that changes accounts to another embedding model does to their documents. */

/** Where the account's documents are; null: it is no more. */
export const lastIndexedPosition = async ({ engine, actor }: Ctx): Promise<number | null> =>
  (await readIndexPosition(engine.db, actor.accountId))?.indexed_to ?? null;

const scanRows = 1_000;

/** What a step found, and where the next one looks on; null: there is no more. */
interface MissingVectorsPage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/**
 * The next documents without a whole vector of a model, in the order of ids: at most `rows`, and
 * at most `bytes` of terms but for the first. It may find none and still have more to look at.
 */
export async function findMissingVectors(
  { engine, actor }: Ctx,
  target: EmbeddingModelRef,
  place: VectorScanRange & { readonly without: ReadonlySet<string> },
  most: { readonly rows: number; readonly bytes: number },
): Promise<MissingVectorsPage> {
  const looked = await scanVectors(engine.db, actor.accountId, target, place, scanRows);
  const ids: string[] = [];
  let bytes = 0;
  for (const { id, bytes: own, has_vector } of looked) {
    if (has_vector || place.without.has(id)) continue;
    const isFull = ids.length === most.rows || (ids.length > 0 && bytes + own > most.bytes);
    if (isFull) return { ids, next: ids.at(-1) ?? null };
    ids.push(id);
    bytes += own;
  }
  return { ids, next: looked.length < scanRows ? null : (looked.at(-1)?.id ?? null) };
}

/** Nothing finds by them yet: no position is taken. */
export async function insertModelVectors(
  tx: Tx,
  accountId: string,
  target: EmbeddingModelRef,
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
export async function switchAccountModel(
  ctx: Ctx,
  target: EmbeddingModelRef,
  { since, without }: { readonly since: number; readonly without: ReadonlySet<string> },
): Promise<boolean> {
  const { accountId } = ctx.actor;
  const isChanged = await ctx.engine.transaction(async (tx) => {
    if (!(await lockAccountPosition(tx, accountId))) return true;
    for (let after: string | null = null; ; ) {
      const looked = await scanVectors(tx, accountId, target, { after, since }, scanRows);
      if (looked.some(({ id, has_vector }) => !has_vector && !without.has(id))) return false;
      if (looked.length < scanRows) break;
      after = looked.at(-1)?.id ?? null;
    }
    await setAccountModel(tx, accountId, target.model);
    return true;
  });
  if (isChanged) modelRegistry.of(ctx).set(accountId, target.model);
  return isChanged;
}

const eraseBatchRows = 500;

/** One small step of erasing what the account is not searched by, in the order of ids. */
export async function deleteOtherModelVectors(
  { engine, actor }: Ctx,
  model: string,
  after: string | null,
): Promise<{ readonly count: number; readonly next: string | null }> {
  const gone = await deleteOtherVectors(engine.db, actor.accountId, model, after, eraseBatchRows);
  return {
    count: gone.length,
    next: gone.length < eraseBatchRows ? null : (gone.at(-1) ?? null),
  };
}

/** Forgets how models are made that no account is searched by any more. */
export const deleteUnusedModels = ({ engine, embedder }: Pick<Ctx, 'engine' | 'embedder'>) =>
  deleteModelsExcept(engine.db, embedder.model);
