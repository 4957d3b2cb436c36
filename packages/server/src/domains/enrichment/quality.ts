import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { getOrComputeEnrichment, requireMemory } from './enrichments.ts';
import { qualityScore } from './model.ts';

type Quality = typeof routes.memories.quality;

/** The score with its factors. Throws 404 memory_not_found, 403 space_access_denied. */
export async function readMemoryQuality(
  ctx: Ctx,
  id: string,
  { recalculate }: ValidatedRequest<Quality>['query'],
): Promise<ResponseBody<Quality>> {
  const record = await requireMemory(ctx, id);
  const { value, processedAt } = await getOrComputeEnrichment(ctx, record, 'quality', recalculate);
  return {
    memory_id: id,
    quality_score: qualityScore(value),
    factors: value,
    calculated_at: processedAt.toISOString(),
  };
}
