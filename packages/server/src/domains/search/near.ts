import { limits } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';
import { findHitPage } from './find.ts';
import { loadVisibleMemories } from './records.ts';
import type { SearchCriteria } from './search-plan.ts';

/**
 * The current memories nearest to a text, the nearest first; not charged or recorded as a search.
 * Throws 500 embedding_failed.
 */
export async function findNearMemories(
  ctx: Ctx,
  text: string,
  scope: Pick<SearchCriteria, 'space_id' | 'tags_any' | 'exactOwner'>,
  limit: number,
): Promise<MemoryRecord[]> {
  // Words alone: quotes and dashes are operators of a query.
  const words = text.match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? [];
  const q = words.join(' ').slice(0, limits.searchQueryCharactersMax).toWellFormed();
  if (q === '') return [];
  const criteria = { q, ...scope, include_superseded: false };
  const page = await findHitPage(ctx, criteria, 0, { offset: 0, limit, explain: false });
  const found = [...page.hits, ...page.filler].slice(0, limit);
  const records = await loadVisibleMemories(ctx, found);
  return found.flatMap(({ id }) => records.get(id) ?? []);
}
