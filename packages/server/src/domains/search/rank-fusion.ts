import type { SearchBody } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { DocumentKind, Hit, HitPage } from '../search-index/index.ts';
import { findHitPage } from './find.ts';

/** A hit with its kind. */
export interface KindHit extends Hit {
  readonly kind: DocumentKind;
}

interface Facets {
  memories: number;
  audio_segments: number;
}

interface RankWindow {
  /** Offset within the kind, then the number of hits from there. */
  readonly from: number;
  readonly count: number;
}

const emptyPage: HitPage = { total: 0, hits: [] };

/**
 * One page over both kinds, fused by reciprocal rank: 1 / (60 + rank) in the list of its own kind.
 * Each rank occurs twice; the higher score comes first. Throws what a search throws.
 */
export async function searchAllKinds(
  ctx: Ctx,
  query: SearchBody,
  threshold: number,
  limit: number,
): Promise<{ page: KindHit[]; facets: Facets }> {
  const { offset, explain, include } = query;
  const fetchPage = async (kind: DocumentKind, { from, count }: RankWindow): Promise<HitPage> => {
    const isIncluded = include?.includes(kind === 'memory' ? 'memories' : 'audio') ?? true;
    const window = { offset: from, limit: count, explain, isContinuation: offset > 0 };
    return isIncluded ? findHitPage(ctx, query, threshold, window, kind) : emptyPage;
  };
  // Half of the preceding hits are of each kind, as long as there are both.
  const first = { from: Math.floor(offset / 2), count: limit };
  const segments = await fetchPage('audio_segment', first);
  const memories = await fetchPage(
    'memory',
    segments.total > 0 ? first : { from: offset, count: limit },
  );
  const facets = { memories: memories.total, audio_segments: segments.total };
  if (segments.total === 0) return { page: withKind('memory', memories.hits), facets };
  const shared = Math.min(facets.memories, facets.audio_segments);
  if (offset + limit <= 2 * shared || offset === 0) {
    const fused = interleave(memories.hits, segments.hits);
    return { page: fused.slice(offset % 2, (offset % 2) + limit), facets };
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
  return { page: fused.slice(skipped, skipped + limit), facets };
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
