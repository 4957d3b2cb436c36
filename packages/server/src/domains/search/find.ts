import type { SearchBody } from '@mneme/contract';
import { type Ctx, maySee } from '../ctx.ts';
import {
  type Candidate,
  findCandidates,
  type IndexedDocument,
  indexCache,
} from '../index/index.ts';
import {
  embedTexts,
  memoriesContaining,
  memoriesWithMetadata,
  salienceAt,
} from '../memories/index.ts';
import { supersededIds } from '../relationships/index.ts';
import { type ParsedQuery, parseQuery, plainNumber } from './query.ts';
import { carryUp, type Ranked, rank } from './rank.ts';

export interface Found {
  readonly ranked: Ranked;
  readonly score: number;
}

/** The whole result set: ids and shown scores, best first. */
export async function findAll(
  ctx: Ctx,
  query: SearchBody,
  threshold: number,
): Promise<{ id: string; score: number }[]> {
  const found = await findRanked(ctx, query, threshold);
  return found.map(({ ranked, score }) => ({ id: ranked.candidate.document.id, score }));
}

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
