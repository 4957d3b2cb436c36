import { type Ctx, visibleSpaces } from '../ctx.ts';
import { findSuperseding } from './store/superseding.ts';

/**
 * Which of these memories are superseded, and by which one: the newest that is active and visible.
 * One that was deleted, or that the key may not see, supersedes nothing.
 */
export const supersededBy = (ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> =>
  findSuperseding(
    ctx.engine.db,
    { accountId: ctx.actor.accountId, visible: visibleSpaces(ctx.actor) },
    ids,
  );
