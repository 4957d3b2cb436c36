import type { Answer, routes, SearchBody } from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { noteAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { ofOneSpace } from './find.ts';
import { findFused } from './fuse.ts';
import { type SearchSettings, settingsOf } from './presets.ts';
import { foundResults } from './results.ts';

export type SearchAnswer = Answer<typeof routes.search.get>;

/**
 * Finds memories, and what was said and shown in recordings, by meaning and words. The result set
 * is all that passes the filters and the threshold and matches by a term or by nearness; facets
 * count it whole. Throws 404
 * space_not_found, 403 space_access_denied, 422 for an unknown pipeline, 500 embedding_failed.
 */
export async function search(ctx: Ctx, query: SearchBody): Promise<SearchAnswer> {
  const settings = await settingsOf(ctx, query);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  return searchCharged(ctx, query, settings);
}

/** A search whose space was checked and which was counted, by its caller. */
export async function searchCharged(
  ctx: Ctx,
  query: SearchBody,
  { limit, threshold }: SearchSettings,
): Promise<SearchAnswer> {
  const { page, facets } = await findFused(ctx, query, threshold, limit);
  const results = await foundResults(ctx, page, query);
  // Of a segment, the recording that it is in was used.
  const used = results.map((one) => (one.type === 'memory' ? one.id : one.audio_file_id));
  const ids = [...new Set(used)];
  noteAccess(ctx, ids, { via: 'search' }, ofOneSpace(ctx, query, { query: query.q }));
  recordActivation(ctx, query.session, ids);
  return { results, facets };
}
