import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { accountModel, untilModelHolds } from '../index/index.ts';
import { storingTransaction } from './change.ts';
import { prepareEach, requireStorable } from './create.ts';
import { asItemFault } from './faults.ts';
import type { MemoryRecord, NewMemory } from './model.ts';
import { type Prepared, storeMemories } from './storing.ts';

/** What became of one of the memories: its record, or why it was refused. */
export type Outcome = MemoryRecord | AppError;

/**
 * Stores memories, each on its own, in one transaction with what `then` writes beside them. The
 * outcomes are in the order of the bodies; what `then` throws takes all back.
 */
export const storeTogether = <T>(
  ctx: Ctx,
  bodies: readonly NewMemory[],
  then: (inTx: TxCtx, outcomes: readonly Outcome[]) => Promise<T>,
): Promise<T> =>
  untilModelHolds(ctx, async () => {
    const model = await accountModel(ctx);
    const refused = bodies.map((body) => refusalOf(() => requireStorable(ctx, body, model)));
    const sound = bodies.filter((_, i) => refused[i] === null);
    const prepared = await prepareEach(ctx, sound);
    return storingTransaction(ctx, async (inTx) => {
      const items = prepared.filter((item): item is Prepared => !(item instanceof AppError));
      const stored = (await storeMemories(inTx, items)).values();
      const soundOnes = prepared
        .map((item) => (item instanceof AppError ? item : (stored.next().value as Outcome)))
        .values();
      return then(
        inTx,
        refused.map((refusal) => refusal ?? (soundOnes.next().value as Outcome)),
      );
    });
  });

function refusalOf(check: () => void): AppError | null {
  try {
    check();
    return null;
  } catch (error) {
    return asItemFault(error);
  }
}
