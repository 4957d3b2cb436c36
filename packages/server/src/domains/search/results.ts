import type { SearchResult } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import type { Hit } from '../index/index.ts';
import { type MemoryRecord, presentMemory } from '../memories/index.ts';
import { supersededBy } from '../relationships/index.ts';
import type { Sought } from './find.ts';
import { highlightOf } from './highlight.ts';
import { parseQuery } from './query.ts';
import { recordsOf } from './records.ts';

/** The hits as results, in their order, superseded ones with a warning. */
export async function resultsOf(
  ctx: Ctx,
  hits: readonly Hit[],
  { q, include_superseded }: Pick<Sought, 'q' | 'include_superseded'>,
): Promise<SearchResult[]> {
  const [records, superseded] = await Promise.all([
    recordsOf(ctx, hits),
    include_superseded
      ? supersededBy(
          ctx,
          hits.map(({ id }) => id),
        )
      : new Map<string, string>(),
  ]);
  const terms = new Set(parseQuery(q).terms);
  return hits.flatMap((hit) => {
    const record = records.get(hit.id);
    if (!record) return [];
    const by = superseded.get(record.id);
    return [{ ...present(ctx, record, hit, terms), ...(by && { warnings: [warningOf(by)] }) }];
  });
}

const warningOf = (id: string) => ({ code: 'superseded', superseded_by: id }) as const;

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
