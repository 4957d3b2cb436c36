import type { OwnerFilter } from '@mneme/contract';
import { type Ctx, requestedUser, visibilityOf, visibleSpaces } from '../ctx.ts';
import { createAccountView } from './account-view.ts';
import type { GraphView } from './graph-view.ts';
import { createOwnedView } from './owned-view.ts';

/**
 * The whole graph of the account, or what the memories of one owner tell and nothing else: of a
 * token of one user always its own. Throws 403 user_access_denied if it names another one.
 */
export function graphViewOf(
  { actor, engine, clock }: Ctx,
  { user_id, agent_id, run_id }: OwnerFilter = {},
): GraphView {
  const { accountId } = actor;
  const now = clock.now();
  const owner = { user_id: requestedUser(actor, user_id), agent_id, run_id };
  if (Object.values(owner).every((id) => id === undefined)) {
    return createAccountView(engine.db, { accountId, visible: visibleSpaces(actor) }, now);
  }
  return createOwnedView(engine.db, { accountId, visible: visibilityOf(actor), owner, now });
}
