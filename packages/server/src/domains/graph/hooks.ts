import { hook } from '../../kernel/per-app.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';

/** Memories whose change is being read, each change once. */
export interface ExtractionBatch {
  readonly records: readonly MemoryRecord[];
  /** What is to be written with the pass, before the account's knowledge is held. */
  readonly writes: ((ctx: TxCtx) => Promise<void>)[];
}

/**
 * Called with the memories of a pass before its transaction, so that others can read them as well;
 * what takes long, or asks the index, is done here and not in `writes`.
 */
export const beforeExtractionWrite = hook<Pick<App, 'disposables'>, [ctx: Ctx, ExtractionBatch]>();
