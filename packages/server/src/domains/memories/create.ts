import type { CreatedMemory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { retryOnModelChange } from '../search-index/index.ts';
import { withConflictRetry } from './change.ts';
import { groupCommitWriter } from './group-commit.ts';
import { beforeMemoryCreate } from './hooks.ts';
import { type ItemResult, insertPreparedMemories, type PreparedMemory } from './insert.ts';
import type { NewMemory } from './model.ts';
import { prepareMemories } from './prepare.ts';

/**
 * Stores a memory. When this resolves, it is durable and the next search finds it. Throws
 * content_too_large, invalid_embedding, embedding_failed, space_not_found, space_access_denied,
 * not_found (session), duplicate_memory.
 */
export const createMemory = (ctx: Ctx, body: NewMemory): Promise<Reply<CreatedMemory>> =>
  retryOnModelChange(ctx, async () => {
    const [prepared] = await prepareMemories(ctx, [body]);
    if (!prepared) throw new AppError('internal_error');
    if (prepared instanceof AppError) throw prepared;
    await beforeMemoryCreate.run(ctx, ctx, prepared);
    return storeWithUpdates(ctx, prepared);
  });

/** Stores without what detection wants to supersede, if one of that cannot be superseded. */
async function storeWithUpdates(ctx: Ctx, prepared: PreparedMemory): Promise<Reply<CreatedMemory>> {
  const { possibleUpdates = [], supersedes = [] } = prepared;
  const detected = possibleUpdates.flatMap(({ memory_id: id, applied }) => (applied ? [id] : []));
  const writer = groupCommitWriter.of(ctx);
  if (detected.length === 0) return writer.add(prepared);
  const all = { ...prepared, supersedes: [...new Set([...supersedes, ...detected])] };
  try {
    return await writer.add(all);
  } catch (error) {
    if (!(error instanceof AppError) || !successionErrors.has(error.code)) throw error;
    const remaining = possibleUpdates.filter(({ applied }) => !applied);
    return writer.add({ ...prepared, possibleUpdates: remaining });
  }
}

/** Why a memory cannot be superseded. */
const successionErrors: ReadonlySet<string> = new Set([
  'memory_not_found',
  'space_access_denied',
  'conflict',
  'quota_exceeded',
]);

/**
 * Stores memories independently, in one transaction with the writes of `afterInsert`, and with what
 * `beforeInsert` locks. Results are in the order of the bodies; an error of `afterInsert` rolls
 * everything back.
 */
export const createMemories = <T>(
  ctx: Ctx,
  bodies: readonly NewMemory[],
  afterInsert: (inTx: TxCtx, results: readonly ItemResult[]) => Promise<T>,
  beforeInsert: (inTx: TxCtx) => Promise<void> = async () => {},
): Promise<T> =>
  retryOnModelChange(ctx, async () => {
    const prepared = await prepareMemories(ctx, bodies);
    return withConflictRetry(ctx, async (inTx) => {
      await beforeInsert(inTx);
      return afterInsert(inTx, await insertPreparedMemories(inTx, prepared));
    });
  });
