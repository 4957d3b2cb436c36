import type { Answer, routes, SearchBody } from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { noteAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { findPage } from './find.ts';
import { type SearchSettings, settingsOf } from './presets.ts';
import { resultsOf } from './results.ts';

export type SearchAnswer = Answer<typeof routes.search.get>;

/**
 * Finds memories by meaning and words. The result set is every memory that passes the filters
 * and the threshold and matches by a term or by nearness; facets count it whole. Throws 404
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
  if (query.include && !query.include.includes('memories')) {
    recordActivation(ctx, query.session, []);
    return nothing;
  }
  const { offset, explain } = query;
  const { total, hits } = await findPage(ctx, query, threshold, { limit, offset, explain });
  const results = await resultsOf(ctx, hits, query);
  const ids = results.map(({ id }) => id);
  noteAccess(ctx, ids, { via: 'search', query: query.q });
  recordActivation(ctx, query.session, ids);
  return { results, facets: { memories: total, audio_segments: 0 } };
}

const nothing: SearchAnswer = { results: [], facets: { memories: 0, audio_segments: 0 } };
