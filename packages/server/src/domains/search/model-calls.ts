import { perApp } from '../../kernel/per-app.ts';
import { TextAnalysisFailed } from '../../providers/language/index.ts';
import { RerankFailed } from '../../providers/rerank/index.ts';
import type { App, Ctx } from '../ctx.ts';
import { timedStage } from './timed-stage.ts';

type ModelRole = 'query rewriter' | 'reranker';

/** After so many failures in a row a model is not called, so that no search waits for it. */
const failuresMax = 3;
const pauseMs = 10_000;

interface Failures {
  count: number;
  pausedUntilMs: number;
}

const failures = perApp<App, Map<ModelRole, Failures>>(() => new Map());

export type FailedCall = 'timeout' | 'failed' | 'paused';

/** Calls a model for which a search waits; a failure is logged without texts. */
export async function callModel<T>(
  ctx: Ctx,
  role: ModelRole,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<{ readonly value: T } | { readonly status: FailedCall }> {
  const known = failures.of(ctx).get(role);
  const nowMs = ctx.clock.monotonicMs();
  if (known && nowMs < known.pausedUntilMs) return { status: 'paused' };
  const signal = ctx.requestEnd?.();
  try {
    const stage = role === 'reranker' ? 'rerank' : 'rewrite';
    const value = await timedStage(ctx, stage, () => call(signal));
    failures.of(ctx).delete(role);
    return { value };
  } catch (error) {
    // The client has disconnected: nobody reads the results.
    if (signal?.aborted) return { status: 'failed' };
    if (!(error instanceof TextAnalysisFailed || error instanceof RerankFailed)) throw error;
    ctx.log.warn({ role, reason: error.message }, 'model call failed; plain search results used');
    if (error.unavailable) recordFailure(ctx, role);
    const { cause } = error;
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    return { status: isTimeout ? 'timeout' : 'failed' };
  }
}

function recordFailure(ctx: Ctx, role: ModelRole): void {
  const count = (failures.of(ctx).get(role)?.count ?? 0) + 1;
  const isPaused = count >= failuresMax;
  failures.of(ctx).set(role, {
    count: isPaused ? 0 : count,
    pausedUntilMs: isPaused ? ctx.clock.monotonicMs() + pauseMs : 0,
  });
}
