import type { OwnerFilter, SearchBody } from '@mneme/contract';
import { type Actor, type Ctx, requestedUser, visibleSpaces } from '../ctx.ts';

/** The visible spaces: statistics count only these. */
export function searchableSpaces(
  ctx: Ctx,
  { space_id: requested }: Pick<SearchBody, 'space_id'>,
): (string | null)[] | null {
  return requested === undefined ? indexedSpaces(ctx) : [requested];
}

/** Whose memories are searched: of a limited token only its user's. Throws user_access_denied. */
export const searchableOwner = (
  actor: Actor,
  { user_id, agent_id, run_id }: OwnerFilter,
): OwnerFilter => ({ user_id: requestedUser(actor, user_id), agent_id, run_id });

/** The spaces that the caller may see, as the index names them; null: all. */
export const indexedSpaces = (ctx: Ctx): (string | null)[] | null =>
  visibleSpaces(ctx.actor)?.map((name) => (name === 'default' ? null : name)) ?? null;

/**
 * Only events of a single space include the search text, if the search was restricted to that
 * space. A search of several spaces may be meant for one of them: the others must not see its text.
 */
export function singleSpaceEventContext(
  ctx: Ctx,
  requested: Pick<SearchBody, 'space_id'>,
  context: Readonly<Record<string, string>>,
): { spaceId: string | null; context: Readonly<Record<string, string>> } | undefined {
  const [spaceId, ...otherSpaces] = searchableSpaces(ctx, requested) ?? [];
  return spaceId === undefined || otherSpaces.length > 0 ? undefined : { spaceId, context };
}
