import type { Ctx } from '../ctx.ts';
import {
  type DocumentKind,
  type GroupBy,
  type HitPage,
  indexCache,
  type ResultGroup,
  retryOnModelChange,
} from '../search-index/index.ts';
import { type SearchCriteria, SearchPlan } from './search-plan.ts';
import { timedStage } from './timed-stage.ts';

export interface HitPageOptions {
  readonly limit: number;
  readonly offset: number;
  /** As in `HitPageRequest`. */
  readonly isContinuation?: boolean;
  readonly explain: boolean;
  /** A memory whose place is to be explained. */
  readonly why?: string | undefined;
}

/** Makes a plan; makes a new one if the account's embedding model changes meanwhile. */
export const withSearchPlan = <T>(
  ctx: Ctx,
  criteria: SearchCriteria,
  run: (plan: SearchPlan) => Promise<T>,
): Promise<T> => retryOnModelChange(ctx, async () => run(await SearchPlan.create(ctx, criteria)));

/** One page of a kind of document, and the number of its matches. Throws ModelChanged. */
export async function findPlannedPage(
  ctx: Ctx,
  plan: SearchPlan,
  kind: DocumentKind,
  threshold: number,
  page: HitPageOptions,
): Promise<HitPage> {
  const query = await plan.query(kind, threshold);
  const { accountId } = ctx.actor;
  const request = { kind: 'page', of: kind, accountId, query, page } as const;
  const { requestEnd } = ctx;
  return timedStage(ctx, 'rank', () => indexCache.of(ctx).query(request, plan.model, requestEnd));
}

/** One page of memories and the number of matches. Throws 500 embedding_failed. */
export const findHitPage = (
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
  page: HitPageOptions,
): Promise<HitPage> =>
  withSearchPlan(ctx, criteria, (plan) => findPlannedPage(ctx, plan, 'memory', threshold, page));

/** The whole result set: ids and shown scores, best first. */
export async function findAllHits(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
): Promise<{ id: string; score: number }[]> {
  const { accountId } = ctx.actor;
  const { ids, scores } = await withSearchPlan(ctx, criteria, async (plan) => {
    const query = await plan.query('memory', threshold);
    const request = { kind: 'all', accountId, query } as const;
    return indexCache.of(ctx).query(request, plan.model, ctx.requestEnd);
  });
  return ids.map((id, i) => ({ id, score: scores[i] as number }));
}

/** The number of matches, and the largest groups by what the index stores. */
export async function findResultGroups(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
  { by, limit }: { by: GroupBy; limit: number },
): Promise<{ total: number; groups: readonly ResultGroup<string>[] }> {
  const { accountId } = ctx.actor;
  return withSearchPlan(ctx, criteria, async (plan) => {
    const query = await plan.query('memory', threshold);
    const request = { kind: 'groups', accountId, query, by, limit } as const;
    return indexCache.of(ctx).query(request, plan.model, ctx.requestEnd);
  });
}
