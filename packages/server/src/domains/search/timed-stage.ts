import { timed } from '../../kernel/metrics/metrics.ts';
import type { Ctx } from '../ctx.ts';

/** Runs a stage of a search and adds its time to the metrics. */
export const timedStage = <T>(
  ctx: Ctx,
  stage: 'embed' | 'rank' | 'read' | 'rerank' | 'rewrite',
  run: () => Promise<T>,
): Promise<T> => timed(ctx, 'mneme_search_stage_duration_seconds', { stage }, run);
