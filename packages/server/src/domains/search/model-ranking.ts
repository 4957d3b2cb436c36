import type { RerankReport, RewriteReport } from '@mneme/contract';
import { BoundedCache } from '../../kernel/bounded-cache.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { App, Ctx } from '../ctx.ts';
import { type DocumentKind, type HitPage, indexCache } from '../search-index/index.ts';
import { findHitPage, findPlannedPage, type HitPageOptions, withSearchPlan } from './find.ts';
import {
  fuseHitLists,
  type HitList,
  markExact,
  placeAfterHead,
  type RankedHit,
  raiseScores,
} from './order-hits.ts';
import { parseQuery } from './query.ts';
import { type Heads, reportWithoutReranker, rerankHeads, usesReranker } from './rerank.ts';
import { rewriteQuery } from './rewrite.ts';
import { type SearchCriteria, SearchPlan } from './search-plan.ts';
import { indexedSpaces } from './searchable-spaces.ts';

export interface RankedPage extends HitPage {
  readonly hits: readonly RankedHit[];
}

/** One page of a kind of documents. */
export type PageSource = (kind: DocumentKind, page: HitPageOptions) => Promise<RankedPage>;

/** What a request says about models. */
export interface ModelOptions {
  readonly rewrite: boolean;
  readonly rerank?: boolean | undefined;
}

export interface ModelReports {
  readonly rewrite?: RewriteReport;
  readonly rerank?: RerankReport;
}

export interface RankingRequest extends ModelOptions {
  readonly criteria: SearchCriteria;
  readonly threshold: number;
  readonly kinds: readonly DocumentKind[];
  readonly explain: boolean;
  /** A later page. */
  readonly isContinuation: boolean;
}

/** The number of best hits of the query and of each rewrite that are fused. */
const fusedHitsMax = 50;
/** Orders that later pages continue. */
const ordersMax = 100;
const orderAgeMaxMs = 600_000;

/** The best hits of a kind in their new order. Behind them the ranking of the query goes on. */
interface RankedHead {
  readonly hits: readonly RankedHit[];
  /** How many of the first hits of the query are among them. */
  readonly ownCount: number;
  /** Places of further ones, from 0, ascending. */
  readonly promoted: readonly number[];
  /** The number of matches of rewrites that the query does not match. */
  readonly addedCount: number;
}

/** Heads are null where the query alone is used. */
interface RankedOrder {
  readonly heads: ReadonlyMap<DocumentKind, RankedHead> | null;
  readonly reports: ModelReports;
}

const orders = perApp<App, BoundedCache<RankedOrder>>(
  ({ clock }) => new BoundedCache(clock, { entriesMax: ordersMax, ageMaxMs: orderAgeMaxMs }),
);

/** Whether a search calls a model, or says that there is none. */
export const asksForModels = (ctx: Ctx, { rewrite, rerank }: ModelOptions): boolean =>
  rewrite || (rerank ?? ctx.reranker !== null);

/**
 * Runs a search whose best results are fused with those of rewrites and reordered by a reranker, as
 * far as requested and possible. Later pages continue the order of the first one. Throws what a
 * search throws; a failure of these models leaves the plain results.
 */
export async function withModelRanking<T>(
  ctx: Ctx,
  request: RankingRequest,
  run: (source: PageSource) => Promise<T>,
): Promise<{ readonly found: T; readonly reports: ModelReports }> {
  const { criteria, threshold, isContinuation } = request;
  const key = orderKey(ctx, request);
  const known = isContinuation ? orders.of(ctx).get(key) : undefined;
  const rewrite =
    known === undefined && request.rewrite ? await rewriteQuery(ctx, criteria.q) : undefined;
  return withSearchPlan(ctx, criteria, async (plan) => {
    const order = known ?? (await createOrder(ctx, plan, request, rewrite));
    orders.of(ctx).set(key, order);
    const own: PageSource = (kind, page) => findPlannedPage(ctx, plan, kind, threshold, page);
    const source: PageSource = (kind, page) => {
      const head = order.heads?.get(kind);
      return head ? findPageWithHead(own, head, kind, page) : own(kind, page);
    };
    return { found: await run(source), reports: order.reports };
  });
}

/** The best memories of the first page, without others that only fill it. */
export async function findRankedHits(
  ctx: Ctx,
  criteria: SearchCriteria,
  models: ModelOptions,
  limit: number,
): Promise<{ readonly hits: readonly RankedHit[]; readonly reports: ModelReports }> {
  const page = { offset: 0, limit, explain: false };
  if (!asksForModels(ctx, models)) {
    const { hits } = await findHitPage(ctx, criteria, 0, page);
    return { hits, reports: {} };
  }
  const kinds = ['memory'] as const;
  const request = { ...models, criteria, threshold: 0, kinds, explain: false };
  const { found, reports } = await withModelRanking(
    ctx,
    { ...request, isContinuation: false },
    (source) => source('memory', page),
  );
  return { hits: found.hits, reports };
}

const orderKey = (
  ctx: Ctx,
  { criteria, threshold, kinds, explain, rewrite, rerank }: RankingRequest,
): string => {
  const { accountId, user } = ctx.actor;
  const models = [rewrite, usesReranker(ctx, rerank)];
  return JSON.stringify([
    ...[accountId, user, indexedSpaces(ctx), criteria],
    ...[threshold, kinds, explain, models],
  ]);
};

async function createOrder(
  ctx: Ctx,
  plan: SearchPlan,
  request: RankingRequest,
  rewrite: RewriteReport | undefined,
): Promise<RankedOrder> {
  const { criteria, rerank } = request;
  const willRerank = usesReranker(ctx, rerank);
  const rewrites = await planRewrites(ctx, criteria, rewrite?.queries ?? []);
  const usedRewrite =
    rewrite && rewrites === null ? { ...rewrite, status: 'failed' as const, queries: [] } : rewrite;
  const isRewritten = rewrites !== null && rewrites.length > 0;
  const without = reportWithoutReranker(ctx, rerank);
  const reports = {
    ...(usedRewrite && { rewrite: usedRewrite }),
    ...(without && { rerank: without }),
  };
  if (!isRewritten && !willRerank) return { heads: null, reports };
  const size = Math.max(
    isRewritten ? fusedHitsMax : 0,
    willRerank ? (ctx.config.rerank?.top ?? 0) : 0,
  );
  const heads = new Map<DocumentKind, RankedHead>();
  for (const kind of request.kinds) {
    heads.set(kind, await createHead(ctx, { plan, rewrites: rewrites ?? [] }, request, kind, size));
  }
  if (!willRerank) return { heads, reports };
  const hits: Heads = new Map([...heads].map(([kind, head]) => [kind, head.hits]));
  const reranked = await rerankHeads(ctx, criteria.q, hits);
  const isReordered = reranked.report.status === 'applied';
  if (!isReordered && !isRewritten) {
    return { heads: null, reports: { ...reports, rerank: reranked.report } };
  }
  const reordered = [...heads].map(
    ([kind, head]) => [kind, { ...head, hits: reranked.heads.get(kind) ?? head.hits }] as const,
  );
  return { heads: new Map(reordered), reports: { ...reports, rerank: reranked.report } };
}

interface PlannedRewrite {
  readonly text: string;
  readonly plan: SearchPlan;
}

/** Null if the texts could not be embedded, although the query was. */
async function planRewrites(
  ctx: Ctx,
  criteria: SearchCriteria,
  texts: readonly string[],
): Promise<readonly PlannedRewrite[] | null> {
  const rewriteOf = parseQuery(criteria.q);
  try {
    return await Promise.all(
      texts.map(async (text) => ({
        text,
        plan: await SearchPlan.create(ctx, { ...criteria, q: text, rewriteOf }),
      })),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'embedding_failed') return null;
    throw error;
  }
}

async function createHead(
  ctx: Ctx,
  { plan, rewrites }: { plan: SearchPlan; rewrites: readonly PlannedRewrite[] },
  { threshold, explain, isContinuation }: RankingRequest,
  kind: DocumentKind,
  size: number,
): Promise<RankedHead> {
  const page = { offset: 0, limit: size, explain };
  const own = await findPlannedPage(ctx, plan, kind, threshold, { ...page, isContinuation });
  const ownHits = markExact(own.hits);
  const lists: HitList[] = [{ rewrite: null, hits: ownHits }];
  for (const rewrite of rewrites) {
    const { hits } = await findPlannedPage(ctx, rewrite.plan, kind, threshold, page);
    lists.push({ rewrite: rewrite.text, hits });
  }
  const ownIds = new Set(own.hits.map(({ id }) => id));
  const fused = rewrites.length > 0 ? fuseHitLists(lists) : ownHits;
  const others = fused.filter(({ id }) => !ownIds.has(id)).map(({ id }) => id);
  const places = await findPlaces(ctx, plan, kind, threshold, others);
  const promoted = places.filter((place) => place !== null);
  const hasMore = own.total > own.hits.length;
  return {
    hits: raiseScores(fused, hasMore ? (own.hits.at(-1)?.score ?? 0) : 0),
    ownCount: own.hits.length,
    promoted,
    addedCount: others.length - promoted.length,
  };
}

/** Places of documents in the ranking of the query, from 0; null for those that do not match. */
async function findPlaces(
  ctx: Ctx,
  plan: SearchPlan,
  kind: DocumentKind,
  threshold: number,
  ids: readonly string[],
): Promise<readonly (number | null)[]> {
  if (ids.length === 0) return [];
  const query = await plan.query(kind, threshold);
  const { accountId } = ctx.actor;
  const request = { kind: 'places', of: kind, accountId, query, ids } as const;
  return indexCache.of(ctx).query(request, plan.model);
}

/** A page of the head, of the ranking behind it, or of both. */
async function findPageWithHead(
  own: PageSource,
  { hits, ownCount, promoted, addedCount }: RankedHead,
  kind: DocumentKind,
  page: HitPageOptions,
): Promise<RankedPage> {
  const { offset, limit, isContinuation = false } = page;
  const headIds = new Set(hits.map(({ id }) => id));
  const fromHead = hits.slice(offset, offset + limit);
  const missing = limit - fromHead.length;
  const from = placeAfterHead(ownCount, promoted, Math.max(0, offset - hits.length));
  const window = { ...page, offset: from, limit: missing + promoted.length, why: undefined };
  // Without a page of its own it still has the number of matches.
  const tail = await own(kind, { ...window, limit: Math.max(1, window.limit) });
  const rest = tail.hits.filter(({ id }) => !headIds.has(id)).slice(0, missing);
  const total = tail.total + addedCount;
  const needsFiller = offset === 0 && !isContinuation && limit > total;
  if (!needsFiller && page.why === undefined) {
    return { total, hits: [...fromHead, ...rest], filler: [] };
  }
  const { filler, placement } = await own(kind, page);
  const others = filler.filter(({ id }) => !headIds.has(id));
  return {
    total,
    hits: [...fromHead, ...rest],
    filler: needsFiller ? others.slice(0, limit - total) : [],
    ...(placement && { placement }),
  };
}
