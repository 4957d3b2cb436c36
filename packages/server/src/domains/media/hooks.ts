import { createHook } from '../../kernel/per-app.ts';
import type { App, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';
import type { MediaFile } from './store/files.ts';

/** Runs for each new recording, in the transaction that inserts it. */
export const afterMediaInsert = createHook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, record: MemoryRecord, file: MediaFile]
>();
