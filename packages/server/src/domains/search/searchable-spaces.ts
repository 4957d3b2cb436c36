import type { SearchBody } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';

/** The visible spaces: statistics count only these. */
export function searchableSpaces(
  ctx: Ctx,
  { space_id: requested }: Pick<SearchBody, 'space_id'>,
): (string | null)[] | null {
  if (requested !== undefined) return [requested];
  return visibleSpaces(ctx.actor)?.map((name) => (name === 'default' ? null : name)) ?? null;
}

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
