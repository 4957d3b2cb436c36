import type { OwnAccount } from '@mneme/contract';
import { createHook } from '../../kernel/per-app.ts';
import type { App, Ctx } from '../ctx.ts';

/** What later domains know about an account that is read. */
export interface AccountDetails {
  /** The model that the account is searched by. */
  embedding: OwnAccount['embedding'];
}

/** Called when an account reads itself: listeners replace details. */
export const onAccountRead = createHook<
  Pick<App, 'disposables'>,
  [ctx: Ctx, details: AccountDetails]
>();
