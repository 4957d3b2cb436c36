import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { resolveAccountModel, retryOnModelChange } from '../search-index/index.ts';
import { withConflictRetry } from './change.ts';
import { prepareIndividually, requireValidMemory } from './create.ts';
import { insertPreparedMemories, type PreparedMemory } from './insert.ts';
import { asItemError } from './item-errors.ts';
import type { MemoryRecord, NewMemory } from './model.ts';

/** What became of one of the memories: its record, or why it was refused. */
export type ItemResult = MemoryRecord | AppError;

/**
 * Stores memories, each on its own, in one transaction with what `then` writes beside them. The
 * outcomes are in the order of the bodies; what `then` throws takes all back.
 */
export const createMemories = <T>(
  ctx: Ctx,
  bodies: readonly NewMemory[],
  then: (inTx: TxCtx, outcomes: readonly ItemResult[]) => Promise<T>,
): Promise<T> =>
  retryOnModelChange(ctx, async () => {
    const model = await resolveAccountModel(ctx);
    const refused = bodies.map((body) => rejectionOf(() => requireValidMemory(ctx, body, model)));
    const sound = bodies.filter((_, i) => refused[i] === null);
    const prepared = await prepareIndividually(ctx, sound);
    return withConflictRetry(ctx, async (inTx) => {
      const items = prepared.filter((item): item is PreparedMemory => !(item instanceof AppError));
      const stored = (await insertPreparedMemories(inTx, items)).values();
      const soundOnes = prepared
        .map((item) => (item instanceof AppError ? item : (stored.next().value as ItemResult)))
        .values();
      return then(
        inTx,
        refused.map((refusal) => refusal ?? (soundOnes.next().value as ItemResult)),
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
