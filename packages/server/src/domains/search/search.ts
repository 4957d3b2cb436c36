import type { Answer, routes, SearchBody, SearchResult } from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, maySee } from '../ctx.ts';
import type { Hit } from '../index/index.ts';
import { type MemoryRecord, memoriesById, noteAccess, presentMemory } from '../memories/index.ts';
import { supersededBy } from '../relationships/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { findPage } from './find.ts';
import { highlightOf } from './highlight.ts';
import { type SearchSettings, settingsOf } from './presets.ts';
import { parseQuery } from './query.ts';

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
  const shown = hits.map(({ id }) => id);
  const [records, superseded] = await Promise.all([
    memoriesById(ctx, shown),
    query.include_superseded ? supersededBy(ctx, shown) : new Map<string, string>(),
  ]);
  const terms = new Set(parseQuery(query.q).terms);
  const results = hits.flatMap((hit) => {
    const record = records.get(hit.id);
    // Moved or deleted since the index was asked: the record has the last word.
    const seen = record && maySee(ctx.actor, record.space_id);
    if (!seen) return [];
    const by = superseded.get(record.id);
    return [{ ...present(ctx, record, hit, terms), ...(by && { warnings: [warningOf(by)] }) }];
  });
  const ids = results.map(({ id }) => id);
  noteAccess(ctx, ids, { via: 'search', query: query.q });
  recordActivation(ctx, query.session, ids);
  return { results, facets: { memories: total, audio_segments: 0 } };
}

const warningOf = (id: string) => ({ code: 'superseded', superseded_by: id }) as const;

const nothing: SearchAnswer = { results: [], facets: { memories: 0, audio_segments: 0 } };

function present(
  ctx: Ctx,
  record: MemoryRecord,
  { score, passage, why }: Hit,
  terms: ReadonlySet<string>,
): SearchResult {
  const memory = presentMemory(record, ctx.clock.now());
  return {
    type: 'memory',
    id: memory.id,
    score,
    content: memory.content,
    content_type: memory.content_type,
    highlight: highlightOf(memory.content, passage, terms),
    tags: memory.tags,
    metadata: memory.metadata,
    space_id: memory.space_id,
    session_id: memory.session_id,
    priority: memory.priority,
    occurred_at: memory.occurred_at,
    created_at: memory.created_at,
    ...(why && {
      why_matched: {
        semantic_rank: why.semanticRank,
        semantic_score: why.semanticScore,
        keyword_rank: why.keywordRank,
        keyword_score: why.keywordScore,
        matched_terms: [...why.matched],
        features: why.features,
        priority_boost: why.priorityBoost,
        salience_boost: why.salienceBoost,
      },
    }),
  };
}
