import type { SearchBody } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';

/** The visible spaces: statistics count only these. */
export function searchableSpaces(
  ctx: Ctx,
  { space_id: requested }: Pick<SearchBody, 'space_id'>,
): (string | null)[] | null {
  return requested === undefined ? indexedSpaces(ctx) : [requested];
}

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
