import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { getOrComputeEnrichment, requireMemory } from './enrichments.ts';

type Topics = typeof routes.memories.topics;

/**
 * The topics of a memory, the most relevant first; stored until its content changes. Throws 404
 * memory_not_found, 403 space_access_denied.
 */
export async function readMemoryTopics(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<Topics>['query'],
): Promise<ResponseBody<Topics>> {
  const record = await requireMemory(ctx, id);
  const { value, model, processedAt } = await getOrComputeEnrichment(
    ctx,
    record,
    'topics',
    query.refresh,
  );
  const { min_relevance: least, categories } = query;
  return {
    memory_id: id,
    topics: value.filter(
      ({ relevance, category }) =>
        relevance >= least && (categories === undefined || categories.includes(category)),
    ),
    extracted_at: processedAt.toISOString(),
    model,
  };
}
