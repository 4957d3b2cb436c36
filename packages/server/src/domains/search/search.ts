import {
  type Answer,
  pipelines,
  type routes,
  type SearchBody,
  type SearchResult,
} from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, maySee } from '../ctx.ts';
import {
  type Candidate,
  findCandidates,
  type IndexedDocument,
  indexCache,
} from '../index/index.ts';
import {
  embedTexts,
  type MemoryRecord,
  memoriesById,
  memoriesContaining,
  memoriesWithMetadata,
  noteAccess,
  presentMemory,
  salienceAt,
} from '../memories/index.ts';
import { supersededBy, supersededIds } from '../relationships/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type ParsedQuery, parseQuery, plainNumber } from './query.ts';
import { carryUp, type Ranked, rank } from './rank.ts';

type SearchAnswer = Answer<typeof routes.search.get>;

interface Found {
  readonly ranked: Ranked;
  readonly score: number;
}

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

/** Everything that matches, best first. */
export async function findRanked(ctx: Ctx, query: SearchBody, threshold: number): Promise<Found[]> {
  const parsed = parseQuery(query.q);
  const vector = parsed.text === '' ? [] : await embedTexts(ctx, [parsed.text], 'query');
  const metadata = await metadataFilter(ctx, query);
  const superseded = query.include_superseded ? null : await supersededIds(ctx);
  const index = await indexCache.of(ctx).current(ctx.actor.accountId);
  const { candidates, queryMass } = findCandidates(index, {
    terms: parsed.terms,
    excluded: parsed.excluded,
    required: parsed.required,
    vector: vector[0] ?? null,
    inScope: (document) => inScope(ctx, query, document),
    passes: (document) =>
      passes(query, document) &&
      (metadata?.has(document.id) ?? true) &&
      !superseded?.has(document.id),
  });
  const holding = await withPhrases(ctx, parsed, candidates);
  const now = ctx.clock.now();
  const ranked = rank({
    candidates: holding,
    queryMass,
    salienceOf: ({ document }) => currentSalience(document, now),
  }).filter(({ score }) => score >= threshold);
  const scores = carryUp(ranked);
  return ranked.map((one, i) => ({ ranked: one, score: scores[i] ?? 0 }));
}

/** What may be seen at all: statistics count only this. */
function inScope(ctx: Ctx, query: SearchBody, document: IndexedDocument): boolean {
  if (!maySee(ctx.actor, document.spaceId)) return false;
  return query.space_id === undefined || document.spaceId === query.space_id;
}

function passes(query: SearchBody, document: IndexedDocument): boolean {
  const { tags, tags_any: any } = query;
  return (
    (!tags || tags.every((tag) => document.tags.has(tag))) &&
    (!any || any.some((tag) => document.tags.has(tag))) &&
    (query.content_type === undefined || document.contentType === query.content_type) &&
    (query.min_priority === undefined || document.priority >= query.min_priority) &&
    (query.created_after === undefined || document.createdAt >= query.created_after.getTime()) &&
    (query.created_before === undefined || document.createdAt < query.created_before.getTime()) &&
    (query.occurred_after === undefined || document.occurredAt >= query.occurred_after.getTime()) &&
    (query.occurred_before === undefined || document.occurredAt < query.occurred_before.getTime())
  );
}

async function metadataFilter(ctx: Ctx, query: SearchBody): Promise<Set<string> | null> {
  const pairs = Object.entries(query.metadata ?? {});
  if (pairs.length === 0) return null;
  return memoriesWithMetadata(
    ctx,
    Object.fromEntries(
      pairs.map(([key, value]) => [
        key,
        typeof value === 'number' ? plainNumber(value) : String(value),
      ]),
    ),
  );
}

/** The index knows words, not their order: whether they stand as a phrase the content tells. */
async function withPhrases(
  ctx: Ctx,
  { phrases, excludedPhrases }: ParsedQuery,
  candidates: Candidate[],
): Promise<Candidate[]> {
  const idsOf = (some: readonly Candidate[]) => some.map(({ document }) => document.id);
  let kept = candidates;
  if (phrases.length > 0) {
    const holding = await memoriesContaining(ctx, idsOf(kept), phrases);
    kept = kept.filter(({ document }) => holding.has(document.id));
  }
  for (const phrase of new Set(excludedPhrases)) {
    if (kept.length === 0) break;
    const banned = await memoriesContaining(ctx, idsOf(kept), [phrase]);
    kept = kept.filter(({ document }) => !banned.has(document.id));
  }
  return kept;
}

const currentSalience = (document: IndexedDocument, now: Date): number | null =>
  salienceAt(
    {
      salience: document.salience,
      salience_at: new Date(document.salienceAt),
      is_pinned: document.pinned,
    },
    now,
  );

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
