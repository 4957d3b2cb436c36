import { timed } from '../../kernel/metrics/metrics.ts';
import { withSpan } from '../../kernel/tracing.ts';
import type { Ctx } from '../ctx.ts';

/** Runs a stage of a search, adds its time to the metrics, and records a span of it. */
export const timedStage = <T>(
  ctx: Ctx,
  stage: 'embed' | 'rank' | 'read' | 'rerank' | 'rewrite',
  run: () => Promise<T>,
): Promise<T> =>
  withSpan(`search ${stage}`, {}, () =>
    timed(ctx, 'mneme_search_stage_duration_seconds', { stage }, run),
  );
