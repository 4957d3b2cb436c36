import { type Ctx, visibleSpaces } from '../ctx.ts';
import { findAllSuperseded, findSuperseding } from './store/superseding.ts';
import type { Seen } from './store.ts';

const seenBy = ({ actor }: Ctx): Seen => ({
  accountId: actor.accountId,
  visible: visibleSpaces(actor),
});

/**
 * Which of these memories are superseded, and by which one: the newest that is active and visible.
 * One that was deleted, or that the key may not see, supersedes nothing.
 */
export const supersededBy = (ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> =>
  findSuperseding(ctx.engine.db, seenBy(ctx), ids);

/** All memories of the account that are superseded, by the same rule. */
export const supersededIds = (ctx: Ctx): Promise<Set<string>> =>
  findAllSuperseded(ctx.engine.db, seenBy(ctx));
