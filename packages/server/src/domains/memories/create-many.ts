import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { resolveAccountModel, retryOnModelChange } from '../search-index/index.ts';
import { withConflictRetry } from './change.ts';
import { prepareIndividually, requireValidMemory } from './create.ts';
import { insertPreparedMemories, type PreparedMemory } from './insert.ts';
import { asItemError } from './item-errors.ts';
import type { MemoryRecord, NewMemory } from './model.ts';

/** The result of one memory: its record, or why it was rejected. */
export type ItemResult = MemoryRecord | AppError;

/**
 * Stores memories independently, in one transaction with the writes of `afterInsert`. Results are
 * in the order of the bodies; an error of `afterInsert` rolls everything back.
 */
export const createMemories = <T>(
  ctx: Ctx,
  bodies: readonly NewMemory[],
  afterInsert: (inTx: TxCtx, results: readonly ItemResult[]) => Promise<T>,
): Promise<T> =>
  retryOnModelChange(ctx, async () => {
    const model = await resolveAccountModel(ctx);
    const rejections = bodies.map((body) =>
      rejectionOf(() => requireValidMemory(ctx, body, model)),
    );
    const valid = bodies.filter((_, i) => rejections[i] === null);
    const prepared = await prepareIndividually(ctx, valid);
    return withConflictRetry(ctx, async (inTx) => {
      const items = prepared.filter((item): item is PreparedMemory => !(item instanceof AppError));
      const stored = (await insertPreparedMemories(inTx, items)).values();
      const validResults = prepared
        .map((item) => (item instanceof AppError ? item : (stored.next().value as ItemResult)))
        .values();
      return afterInsert(
        inTx,
        rejections.map((rejection) => rejection ?? (validResults.next().value as ItemResult)),
      );
    });
  });

function rejectionOf(check: () => void): AppError | null {
  try {
    check();
    return null;
  } catch (error) {
    return asItemError(error);
  }
}
