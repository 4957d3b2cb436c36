import type { SearchBody } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { DocumentKind, Placement } from '../search-index/index.ts';
import { findPlannedPage, withSearchPlan } from './find.ts';
import {
  asksForModels,
  type ModelReports,
  type PageSource,
  type RankedPage,
  withModelRanking,
} from './model-ranking.ts';
import type { RankedHit } from './order-hits.ts';

/** A hit with its kind. */
export interface KindHit extends RankedHit {
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
  readonly reports: ModelReports;
}

type KindPage = Omit<FusedPage, 'reports'>;

interface RankWindow {
  /** Offset within the kind, then the number of hits from there. */
  readonly from: number;
  readonly count: number;
}

const emptyPage: RankedPage = { total: 0, hits: [], filler: [] };

/**
 * One page over both kinds, fused by reciprocal rank: 1 / (60 + rank) in the list of its own kind.
 * Each rank occurs twice; the higher score comes first. Where fewer match than a first page has
 * room for, the nearest others follow. Throws what a search throws.
 */
export async function searchAllKinds(
  ctx: Ctx,
  query: SearchBody,
  threshold: number,
  limit: number,
): Promise<FusedPage> {
  if (!asksForModels(ctx, query)) {
    return withSearchPlan(ctx, query, async (plan) => {
      const source: PageSource = (kind, page) => findPlannedPage(ctx, plan, kind, threshold, page);
      return { ...(await fusePage(source, query, limit)), reports: {} };
    });
  }
  const { rewrite, rerank, explain, limit: _, offset, why, pipeline, session, ...criteria } = query;
  const kinds = (['memory', 'audio_segment'] as const).filter((kind) => isIncluded(query, kind));
  const models = { rewrite, rerank, criteria, threshold, kinds, explain };
  const request = { ...models, isContinuation: offset > 0 };
  const ranked = await withModelRanking(ctx, request, (source) => fusePage(source, query, limit));
  return { ...ranked.found, reports: ranked.reports };
}

const isIncluded = ({ include }: Pick<SearchBody, 'include'>, kind: DocumentKind): boolean =>
  include?.includes(kind === 'memory' ? 'memories' : 'audio') ?? true;

async function fusePage(source: PageSource, query: SearchBody, limit: number): Promise<KindPage> {
  const { offset, explain, why } = query;
  const fetchPage = async (
    kind: DocumentKind,
    { from, count }: RankWindow,
  ): Promise<RankedPage> => {
    const window = { offset: from, limit: count, explain, isContinuation: offset > 0, why };
    return isIncluded(query, kind) ? source(kind, window) : emptyPage;
  };
  // Half of the preceding hits are of each kind, as long as there are both.
  const first = { from: Math.floor(offset / 2), count: limit };
  const { segments, memories } = await fetchFirst(fetchPage, first, offset);
  const facets = { memories: memories.total, audio_segments: segments.total };
  const { placement } = memories;
  const withFiller = (page: KindHit[]): KindPage => {
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

/** The beginning of a later page depends on whether there are recordings at all. */
async function fetchFirst(
  fetchPage: (kind: DocumentKind, window: RankWindow) => Promise<RankedPage>,
  first: RankWindow,
  offset: number,
): Promise<{ segments: RankedPage; memories: RankedPage }> {
  if (offset === 0) {
    const [segments, memories] = await Promise.all([
      fetchPage('audio_segment', first),
      fetchPage('memory', first),
    ]);
    return { segments, memories };
  }
  const segments = await fetchPage('audio_segment', first);
  const window = segments.total > 0 ? first : { from: offset, count: first.count };
  return { segments, memories: await fetchPage('memory', window) };
}

const withKind = (kind: DocumentKind, hits: readonly RankedHit[]): KindHit[] =>
  hits.map((hit) => ({ ...hit, kind }));

/** Rank by rank; within a rank the higher score comes first, in case of ties the memory. */
function interleave(memories: readonly RankedHit[], segments: readonly RankedHit[]): KindHit[] {
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
