import { hook } from '../../kernel/per-app.ts';
import type { App, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';
import type { MediaFile } from './store/files.ts';

/** Called with a new recording, in the transaction that stores it. */
export const afterMediaInsert = hook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, record: MemoryRecord, file: MediaFile]
>();
