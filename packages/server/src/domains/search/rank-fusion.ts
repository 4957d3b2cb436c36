import type { SearchBody } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { DocumentKind, Hit, HitPage, Placement } from '../search-index/index.ts';
import { findPlannedPage, withSearchPlan } from './find.ts';
import type { SearchPlan } from './search-plan.ts';

/** A hit with its kind. */
export interface KindHit extends Hit {
  readonly kind: DocumentKind;
}

interface Facets {
  memories: number;
  audio_segments: number;
}

interface FusedPage {
  readonly page: readonly KindHit[];
  /** Ids of the hits that fill the page without being matches. */
  readonly fillerIds: ReadonlySet<string>;
  /** Matches by kind; filler does not count. */
  readonly facets: Facets;
  /** Of the memory that the request asks about. */
  readonly placement: Placement | undefined;
}

interface RankWindow {
  /** Offset within the kind, then the number of hits from there. */
  readonly from: number;
  readonly count: number;
}

const emptyPage: HitPage = { total: 0, hits: [], filler: [] };

/**
 * One page over both kinds, fused by reciprocal rank: 1 / (60 + rank) in the list of its own kind.
 * Each rank occurs twice; the higher score comes first. Where fewer match than a first page has
 * room for, the nearest others follow. Throws what a search throws.
 */
export const searchAllKinds = (
  ctx: Ctx,
  query: SearchBody,
  threshold: number,
  limit: number,
): Promise<FusedPage> =>
  withSearchPlan(ctx, query, (plan) => fusePage(ctx, plan, query, threshold, limit));

async function fusePage(
  ctx: Ctx,
  plan: SearchPlan,
  query: SearchBody,
  threshold: number,
  limit: number,
): Promise<FusedPage> {
  const { offset, explain, include, why } = query;
  const fetchPage = async (kind: DocumentKind, { from, count }: RankWindow): Promise<HitPage> => {
    const isIncluded = include?.includes(kind === 'memory' ? 'memories' : 'audio') ?? true;
    const window = { offset: from, limit: count, explain, isContinuation: offset > 0, why };
    return isIncluded ? findPlannedPage(ctx, plan, kind, threshold, window) : emptyPage;
  };
  // Half of the preceding hits are of each kind, as long as there are both.
  const first = { from: Math.floor(offset / 2), count: limit };
  const segments = await fetchPage('audio_segment', first);
  const memories = await fetchPage(
    'memory',
    segments.total > 0 ? first : { from: offset, count: limit },
  );
  const facets = { memories: memories.total, audio_segments: segments.total };
  const { placement } = memories;
  const withFiller = (page: KindHit[]): FusedPage => {
    const filler = interleave(memories.filler, segments.filler);
    const fillerIds = new Set(filler.map(({ id }) => id));
    return { page: [...page, ...filler].slice(0, limit), fillerIds, facets, placement };
  };
  if (segments.total === 0) return withFiller(withKind('memory', memories.hits));
  const shared = Math.min(facets.memories, facets.audio_segments);
  if (offset + limit <= 2 * shared || offset === 0) {
    const fused = interleave(memories.hits, segments.hits);
    return withFiller(fused.slice(offset % 2, (offset % 2) + limit));
  }
  // One list has ended: the other continues alone.
  const pairs = Math.min(Math.floor(offset / 2), shared);
  const surplus = Math.max(0, offset - 2 * shared);
  const rest = { from: pairs + surplus, count: limit + 1 };
  const [memoryPage, segmentPage] = [
    await fetchPage('memory', rest),
    await fetchPage('audio_segment', rest),
  ];
  const skipped = surplus > 0 ? 0 : offset - 2 * pairs;
  const fused = interleave(memoryPage.hits, segmentPage.hits);
  const page = fused.slice(skipped, skipped + limit);
  return { page, fillerIds: new Set(), facets, placement };
}

const withKind = (kind: DocumentKind, hits: readonly Hit[]): KindHit[] =>
  hits.map((hit) => ({ ...hit, kind }));

/** Rank by rank; within a rank the higher score comes first, in case of ties the memory. */
function interleave(memories: readonly Hit[], segments: readonly Hit[]): KindHit[] {
  const fused: KindHit[] = [];
  for (let rank = 0; rank < Math.max(memories.length, segments.length); rank += 1) {
    const both = [
      ...withKind('memory', memories.slice(rank, rank + 1)),
      ...withKind('audio_segment', segments.slice(rank, rank + 1)),
    ];
    fused.push(...both.sort((a, b) => b.score - a.score));
  }
  return fused;
}
