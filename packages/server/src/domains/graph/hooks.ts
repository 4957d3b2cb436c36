import { createHook } from '../../kernel/per-app.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';

/** Memories of one extraction batch, each change once. */
export interface ExtractionBatch {
  readonly records: readonly MemoryRecord[];
  /** Writes of the same transaction, executed before the account's graph is locked. */
  readonly writes: ((ctx: TxCtx) => Promise<void>)[];
  /** Called after each step of slow work with the time that it took: requests come first. */
  throttle?(tookMs: number): Promise<void>;
  /** Aborted when nothing of the batch will be written: slow work ends, and logs no errors. */
  readonly signal?: AbortSignal;
}

/**
 * Called with the memories of a batch before its transaction, so that other domains can process
 * them, too. Slow work and index queries must be done here and not in `writes`.
 */
export const beforeExtractionWrite = createHook<
  Pick<App, 'disposables'>,
  [ctx: Ctx, ExtractionBatch]
>();

/** Called in the transaction that changes since when all that these memories state has ended. */
export const onFactsEnded = createHook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();
