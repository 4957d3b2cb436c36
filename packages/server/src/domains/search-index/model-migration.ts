import type { Tx } from '../../database/index.ts';
import type { Ctx } from '../ctx.ts';
import { accountModels } from './account-models.ts';
import type { EncodedVectors } from './encoding.ts';
import { quantiseVector } from './model.ts';
import { quantisePassageVectors } from './passage-vectors.ts';
import { readIndexPosition } from './store/documents.ts';
import {
  addVectors,
  deleteOtherVectors,
  deleteUnusedModelsExcept,
  type EmbeddingModelRef,
  lockAccountPosition,
  scanVectors,
  setAccountModel,
  type VectorScanRange,
} from './store/models.ts';

/** Operations on documents for the job that switches accounts to another embedding model. */

/** The position of the account's documents; null: the account does not exist any more. */
export const lastIndexedPosition = async ({ engine, actor }: Ctx): Promise<number | null> =>
  (await readIndexPosition(engine.db, actor.accountId))?.index_position ?? null;

const scanRows = 1_000;

/** The result of a step and the start of the next one; null: there are no more. */
interface MissingVectorsPage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/**
 * The next documents without a complete vector of a model, in the order of ids: at most `rows`, and
 * at most `bytes` of terms except for the first. A page may be empty although there are more to
 * scan.
 */
export async function findMissingVectors(
  { engine, actor }: Ctx,
  target: EmbeddingModelRef,
  cursor: VectorScanRange & { readonly without: ReadonlySet<string> },
  limits: { readonly rows: number; readonly bytes: number },
): Promise<MissingVectorsPage> {
  const scanned = await scanVectors(engine.db, actor.accountId, target, cursor, scanRows);
  const ids: string[] = [];
  let bytes = 0;
  for (const { id, bytes: documentBytes, has_vector } of scanned) {
    if (has_vector || cursor.without.has(id)) continue;
    const isFull =
      ids.length === limits.rows || (ids.length > 0 && bytes + documentBytes > limits.bytes);
    if (isFull) return { ids, next: ids.at(-1) ?? null };
    ids.push(id);
    bytes += documentBytes;
  }
  return { ids, next: scanned.length < scanRows ? null : (scanned.at(-1)?.id ?? null) };
}

/** Searches do not use these vectors yet: no position is assigned. */
export async function insertModelVectors(
  tx: Tx,
  accountId: string,
  target: EmbeddingModelRef,
  vectors: readonly (EncodedVectors & { readonly vector: Float32Array })[],
): Promise<void> {
  const rows = vectors.map(({ id, vector, passages }) => ({
    id,
    vector: quantiseVector(vector),
    passages: passages && quantisePassageVectors(passages, target.dimensions),
  }));
  if (rows.length > 0) await addVectors(tx, accountId, target, rows);
}

/**
 * From the commit on, every process searches the account by the other model. Returns false and
 * changes nothing if a document that changed after `since` has no vector of that model yet: the
 * lock on the account's row blocks every writer during this check.
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
      const scanned = await scanVectors(tx, accountId, target, { after, since }, scanRows);
      if (scanned.some(({ id, has_vector }) => !has_vector && !without.has(id))) return false;
      if (scanned.length < scanRows) break;
      after = scanned.at(-1)?.id ?? null;
    }
    await setAccountModel(tx, accountId, target.model);
    return true;
  });
  if (isChanged) accountModels.of(ctx).set(accountId, target.model);
  return isChanged;
}

const eraseBatchRows = 500;

/**
 * One small step of deleting vectors of models that the account does not use, in the order of ids.
 */
export async function deleteOtherModelVectors(
  { engine, actor }: Ctx,
  model: string,
  after: string | null,
): Promise<{ readonly count: number; readonly next: string | null }> {
  const deletedIds = await deleteOtherVectors(
    engine.db,
    actor.accountId,
    model,
    after,
    eraseBatchRows,
  );
  return {
    count: deletedIds.length,
    next: deletedIds.length < eraseBatchRows ? null : (deletedIds.at(-1) ?? null),
  };
}

/** Deletes the settings of models that no account uses any more. */
export const deleteUnusedModels = ({ engine, embedder }: Pick<Ctx, 'engine' | 'embedder'>) =>
  deleteUnusedModelsExcept(engine.db, embedder.model);
