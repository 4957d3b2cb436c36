import { type Ctx, visibleSpaces } from '../ctx.ts';
import type { Visibility } from './store/relationships.ts';
import { findAllSuperseded, findSuperseding } from './store/superseding.ts';

const visibilityOf = ({ actor }: Ctx): Visibility => ({
  accountId: actor.accountId,
  visible: visibleSpaces(actor),
});

/**
 * Which of these memories are superseded, and by which: the newest that is active and visible.
 * A deleted memory, or one that the key may not read, supersedes nothing.
 */
export const supersededBy = (ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> =>
  findSuperseding(ctx.engine.db, visibilityOf(ctx), ids);

/** All superseded memories of the account, by the same rule. */
export const supersededIds = (ctx: Ctx): Promise<Set<string>> =>
  findAllSuperseded(ctx.engine.db, visibilityOf(ctx));
