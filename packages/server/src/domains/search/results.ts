import type {
  AnySearchResult,
  AudioSegmentResult,
  MatchExplanation,
  ResultPlacement,
  SearchResult,
} from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { clipUrl, findSegmentsById, type SegmentRecord, segmentText } from '../media/index.ts';
import { type MemoryRecord, presentCurrentMemory } from '../memories/index.ts';
import type { Hit, Placement } from '../search-index/index.ts';
import { highlightOf } from './highlight.ts';
import type { RankedHit } from './order-hits.ts';
import { presentPassage } from './passage.ts';
import { parseQuery } from './query.ts';
import type { KindHit } from './rank-fusion.ts';
import { loadVisibleMemories } from './records.ts';
import type { SearchCriteria } from './search-plan.ts';

/** Converts hits to results, in order; superseded memories get a warning. */
export async function toMemoryResults(
  ctx: Ctx,
  hits: readonly RankedHit[],
  { q }: Pick<SearchCriteria, 'q'>,
): Promise<SearchResult[]> {
  const records = await loadVisibleMemories(ctx, hits);
  const terms = new Set(parseQuery(q).terms);
  return hits.flatMap((hit) => {
    const record = records.get(hit.id);
    if (!record) return [];
    const { supersededBy: by } = hit;
    return [
      {
        ...presentMemoryResult(ctx, record, hit, terms),
        ...(by !== null && { warnings: [supersededWarning(by)] }),
      },
    ];
  });
}

/** Converts hits of both kinds to results, in order. */
export async function toSearchResults(
  ctx: Ctx,
  hits: readonly KindHit[],
  query: Pick<SearchCriteria, 'q'>,
): Promise<AnySearchResult[]> {
  const ofKind = (kind: KindHit['kind']): KindHit[] => hits.filter((hit) => hit.kind === kind);
  const [memories, segments] = await Promise.all([
    toMemoryResults(ctx, ofKind('memory'), query),
    toSegmentResults(ctx, ofKind('audio_segment'), query.q),
  ]);
  const found = new Map<string, AnySearchResult>(
    [...memories, ...segments].map((result) => [result.id, result]),
  );
  return hits.flatMap(({ id }) => found.get(id) ?? []);
}

/** If a recording was moved or deleted in the meantime, its memory's record decides. */
async function toSegmentResults(
  ctx: Ctx,
  hits: readonly KindHit[],
  q: string,
): Promise<AudioSegmentResult[]> {
  const segments = await findSegmentsById(
    ctx,
    hits.map(({ id }) => id),
  );
  const owners = [...segments.values()].map(({ memory_id: id }) => ({ id }));
  const records = await loadVisibleMemories(ctx, owners);
  const terms = new Set(parseQuery(q).terms);
  return hits.flatMap((hit) => {
    const segment = segments.get(hit.id);
    const record = segment && records.get(segment.memory_id);
    return segment && record ? [presentSegment(ctx, { segment, record }, hit, terms)] : [];
  });
}

/** A word at the edge of a clip is hard to understand. */
const clipSecondsMin = 1;

function presentSegment(
  ctx: Ctx,
  { segment, record }: { segment: SegmentRecord; record: MemoryRecord },
  { score, passage, explanation, foundBy }: RankedHit,
  terms: ReadonlySet<string>,
): AudioSegmentResult {
  const { start_time: start, end_time: end } = segment;
  return {
    type: 'audio_segment',
    id: segment.id,
    score,
    audio_file_id: record.id,
    modality: segment.modality,
    text: segment.text,
    highlight: highlightOf(segmentText(segment), passage, terms),
    start_time: start,
    end_time: end,
    speaker: segment.speaker,
    clip_url: clipUrl(ctx, record.id, start, Math.max(end, start + clipSecondsMin)),
    space_id: record.space_id,
    session_id: record.session_id,
    created_at: record.created_at.toISOString(),
    ...(foundBy !== undefined && { found_by: foundBy }),
    ...(explanation && { why_matched: presentExplanation(explanation) }),
  };
}

const supersededWarning = (id: string) => ({ code: 'superseded', superseded_by: id }) as const;

function presentMemoryResult(
  ctx: Ctx,
  record: MemoryRecord,
  { score, passage, outdatedBy, explanation, foundBy }: RankedHit,
  terms: ReadonlySet<string>,
): SearchResult {
  const memory = presentCurrentMemory(record, ctx.clock.now());
  return {
    type: 'memory',
    id: memory.id,
    score,
    content: memory.content,
    content_type: memory.content_type,
    highlight: highlightOf(memory.content, passage, terms),
    passage: presentPassage(memory.content, passage),
    tags: memory.tags,
    metadata: memory.metadata,
    space_id: memory.space_id,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    run_id: memory.run_id,
    session_id: memory.session_id,
    priority: memory.priority,
    occurred_at: memory.occurred_at,
    created_at: memory.created_at,
    outdated_by: outdatedBy,
    ...(foundBy !== undefined && { found_by: foundBy }),
    ...(explanation && { why_matched: presentExplanation(explanation) }),
  };
}

export const presentPlacement = ({
  explanation,
  ahead,
  ...placement
}: Placement): ResultPlacement => ({
  ...placement,
  why_matched: explanation && presentExplanation(explanation),
  ahead: ahead && { ...ahead, differences: { ...ahead.differences } },
});

const presentExplanation = (why: NonNullable<Hit['explanation']>): MatchExplanation => ({
  semantic_rank: why.semanticRank,
  semantic_score: why.semanticScore,
  keyword_rank: why.keywordRank,
  keyword_score: why.keywordScore,
  matched_terms: [...why.matchedTerms],
  features: { ...why.features },
  priority_boost: why.priorityBoost,
  salience_boost: why.salienceBoost,
});
