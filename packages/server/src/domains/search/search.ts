import {
  type Answer,
  pipelines,
  type routes,
  type SearchBody,
  type SearchResult,
} from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, maySee } from '../ctx.ts';
import type { Candidate } from '../index/index.ts';
import { type MemoryRecord, memoriesById, noteAccess, presentMemory } from '../memories/index.ts';
import { supersededBy } from '../relationships/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type Found, findRanked } from './find.ts';

type SearchAnswer = Answer<typeof routes.search.get>;

/**
 * Finds memories by meaning and words. The result set is every memory that passes the filters
 * and the threshold and matches by a term or by nearness; facets count it whole. Throws 404
 * space_not_found, 403 space_access_denied, 500 embedding_failed.
 */
export async function search(ctx: Ctx, query: SearchBody): Promise<SearchAnswer> {
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  const preset = query.pipeline === undefined ? undefined : pipelines[query.pipeline];
  const limit = query.limit ?? preset?.limit ?? 20;
  const threshold = query.threshold ?? preset?.threshold ?? 0;
  if (query.include && !query.include.includes('memories')) {
    recordActivation(ctx, query.session, []);
    return nothing;
  }
  const found = await findRanked(ctx, query, threshold);
  const page = found.slice(query.offset, query.offset + limit);
  const shown = page.map(({ ranked }) => ranked.candidate.document.id);
  const [records, superseded] = await Promise.all([
    memoriesById(ctx, shown),
    query.include_superseded ? supersededBy(ctx, shown) : new Map<string, string>(),
  ]);
  const ranks = query.explain ? ranksOf(found) : null;
  const results = page.flatMap((one) => {
    const record = records.get(one.ranked.candidate.document.id);
    // Moved or deleted since the index was asked: the record has the last word.
    const seen = record && maySee(ctx.actor, record.space_id);
    if (!seen) return [];
    const by = superseded.get(record.id);
    return [{ ...present(ctx, record, one, ranks), ...(by && { warnings: [warningOf(by)] }) }];
  });
  const ids = results.map(({ id }) => id);
  noteAccess(ctx, ids, { via: 'search', query: query.q });
  recordActivation(ctx, query.session, ids);
  return { results, facets: { memories: found.length, audio_segments: 0 } };
}

const warningOf = (id: string) => ({ code: 'superseded', superseded_by: id }) as const;

const nothing: SearchAnswer = { results: [], facets: { memories: 0, audio_segments: 0 } };

interface Ranks {
  readonly semantic: ReadonlyMap<Candidate, number>;
  readonly keyword: ReadonlyMap<Candidate, number>;
}

/** The place of each result in either single list, from 1. */
function ranksOf(found: readonly Found[]): Ranks {
  const places = (value: (candidate: Candidate) => number): Map<Candidate, number> =>
    new Map(
      found
        .map(({ ranked }) => ranked.candidate)
        .filter((candidate) => value(candidate) > 0)
        .sort((a, b) => value(b) - value(a))
        .map((candidate, i) => [candidate, i + 1]),
    );
  return { semantic: places(({ semantic }) => semantic), keyword: places((one) => one.keyword) };
}

function present(
  ctx: Ctx,
  record: MemoryRecord,
  { ranked, score }: Found,
  ranks: Ranks | null,
): SearchResult {
  const memory = presentMemory(record, ctx.clock.now());
  const { candidate } = ranked;
  return {
    type: 'memory',
    id: memory.id,
    score,
    content: memory.content,
    content_type: memory.content_type,
    tags: memory.tags,
    metadata: memory.metadata,
    space_id: memory.space_id,
    session_id: memory.session_id,
    priority: memory.priority,
    occurred_at: memory.occurred_at,
    created_at: memory.created_at,
    ...(ranks && {
      why_matched: {
        semantic_rank: ranks.semantic.get(candidate) ?? null,
        semantic_score: candidate.semantic > 0 ? candidate.semantic : null,
        keyword_rank: ranks.keyword.get(candidate) ?? null,
        keyword_score: candidate.keyword > 0 ? candidate.keyword : null,
        matched_terms: [...candidate.matched],
        features: ranked.features,
        priority_boost: ranked.priorityBoost,
        salience_boost: ranked.salienceBoost,
      },
    }),
  };
}
