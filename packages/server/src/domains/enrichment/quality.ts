import type { Answer, Checked, routes } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { keptOrMade, requireMemory } from './keep.ts';
import { scoreOf } from './model.ts';

type Quality = typeof routes.memories.quality;

/** The score with its factors. Throws 404 memory_not_found, 403 space_access_denied. */
export async function readQuality(
  ctx: Ctx,
  id: string,
  { recalculate }: Checked<Quality>['query'],
): Promise<Answer<Quality>> {
  const record = await requireMemory(ctx, id);
  const { value, processedAt } = await keptOrMade(ctx, record, 'quality', recalculate);
  return {
    memory_id: id,
    quality_score: scoreOf(value),
    factors: value,
    calculated_at: processedAt.toISOString(),
  };
}
