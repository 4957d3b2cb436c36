import { limits, type ResponseBody, type routes, type SearchBody } from '@mneme/contract';
import type { PageRequest } from '../../kernel/pagination.ts';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { recordAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { resolveSearchSettings, type SearchSettings } from './presets.ts';
import { searchAllKinds } from './rank-fusion.ts';
import { presentPlacement, toSearchResults } from './results.ts';
import { singleSpaceEventContext } from './searchable-spaces.ts';
import { timedStage } from './timed-stage.ts';

export type SearchResponse = ResponseBody<typeof routes.search.get>;

/**
 * Searches memories and segments of recordings by meaning and words. The result set is everything
 * that passes the filters and the threshold and matches by a term or by vector; facets count all of
 * it. Throws 404 space_not_found, 403 space_access_denied, 422 for an unknown pipeline, 500
 * embedding_failed.
 */
export async function search(ctx: Ctx, query: SearchBody): Promise<SearchResponse> {
  const settings = await resolveSearchSettings(ctx, query);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  return executeSearch(ctx, query, settings);
}

/** Runs a search whose space the caller has checked and charged. */
export async function executeSearch(
  ctx: Ctx,
  query: SearchBody,
  { limit, threshold }: SearchSettings,
): Promise<SearchResponse> {
  const found = await searchAllKinds(ctx, query, threshold, limit);
  const { facets, placement, fillerIds, reports } = found;
  const results = await timedStage(ctx, 'read', () => toSearchResults(ctx, found.page, query));
  const matches = results.filter(({ id }) => !fillerIds.has(id));
  // A hit in a segment is an access to its recording.
  const used = matches.map((one) => (one.type === 'memory' ? one.id : one.audio_file_id));
  const ids = [...new Set(used)];
  recordAccess(
    ctx,
    ids,
    { via: 'search' },
    singleSpaceEventContext(ctx, query, { query: query.q }),
  );
  recordActivation(ctx, query.session, ids);
  return {
    results,
    facets,
    ...(placement && { why: presentPlacement(placement) }),
    ...reports,
    pagination: toPagination({ limit, offset: query.offset }, facets),
  };
}

/** The next page begins after `limit` places, also if results of this one have been deleted. */
function toPagination(page: PageRequest, facets: SearchResponse['facets']) {
  const total = facets.memories + facets.audio_segments;
  const next = page.offset + page.limit;
  const has_more = next < total && next <= limits.searchOffsetMax;
  return { ...page, total, has_more, next_cursor: null };
}
