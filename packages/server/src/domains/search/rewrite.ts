import type { RewriteReport } from '@mneme/contract';
import { BoundedCache } from '../../kernel/bounded-cache.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { App, Ctx } from '../ctx.ts';
import { callModel } from './model-calls.ts';
import { parseQuery } from './query.ts';

const accountsMax = 500;
const rewritesMax = 100;
const ageMaxMs = 3_600_000;

type Rewrites = readonly string[];

/** Rewrites by account, then by query: one account cannot displace those of another. */
const caches = perApp<App, BoundedCache<BoundedCache<Rewrites>>>(
  ({ clock }) => new BoundedCache(clock, { entriesMax: accountsMax, ageMaxMs }),
);

function cacheOf(ctx: Ctx): BoundedCache<Rewrites> {
  const { accountId } = ctx.actor;
  const existing = caches.of(ctx).get(accountId);
  if (existing) return existing;
  const created = new BoundedCache<Rewrites>(ctx.clock, { entriesMax: rewritesMax, ageMaxMs });
  caches.of(ctx).set(accountId, created);
  return created;
}

/**
 * Other texts to search with. The model receives the query without its exclusions, and the date: no
 * memories. Any failure is reported and leaves the query alone.
 */
export async function rewriteQuery(ctx: Ctx, q: string): Promise<RewriteReport> {
  const { queryRewriter } = ctx;
  if (queryRewriter === null) return { status: 'not_configured', queries: [], model: null };
  const { model } = queryRewriter;
  const text = parseQuery(q).text.normalize('NFC').replaceAll(/\s+/g, ' ');
  const report = (queries: Rewrites): RewriteReport =>
    queries.length > 0
      ? { status: 'applied', queries: [...queries], model }
      : { status: 'no_rewrites', queries: [], model };
  if (text === '') return report([]);
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const key = JSON.stringify([model, today, text]);
  const cached = cacheOf(ctx).get(key);
  if (cached) return report(cached);
  const called = await callModel(ctx, 'query rewriter', (signal) =>
    queryRewriter.rewrite(text, today, signal),
  );
  if ('status' in called) return { status: called.status, queries: [], model };
  cacheOf(ctx).set(key, called.value);
  return report(called.value);
}
