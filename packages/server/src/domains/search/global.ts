import {
  type Answer,
  type Checked,
  globalTypes,
  type Highlight,
  type routes,
} from '@mneme/contract';
import { type Keywords, weigherOf } from '../../text/keywords.ts';
import { grants } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { noteAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { findPage, ofOneSpace } from './find.ts';
import { findingByWords } from './hooks.ts';
import { parseQuery } from './query.ts';
import { resultsOf } from './results.ts';
import { snippetOf } from './snippet.ts';

type Query = Checked<typeof routes.search.global>['query'];
type GlobalAnswer = Answer<typeof routes.search.global>;
type Groups = GlobalAnswer['results'];

interface Filled<T> {
  readonly items: readonly T[];
  readonly total: number;
}

const nothing = { items: [], total: 0 };
/** Where a group is filled by another domain, whoever sees it may read that domain. */
const scopes = { cluster: 'clusters:read', space: 'spaces:read' } as const;

/**
 * What holds the words that are asked for, by resource type: `limit` of each group, `total` over
 * all that were asked for. Nothing is embedded, and no search is counted.
 */
export async function searchEverywhere(ctx: Ctx, query: Query): Promise<GlobalAnswer> {
  const wanted = new Set(query.types ?? globalTypes);
  const parsed = parseQuery(query.q);
  const weigh = weigherOf(parsed);
  const others = (type: keyof typeof scopes): Promise<Filled<object>> | Filled<object> => {
    if (!wanted.has(type) || !grants(ctx.actor.scopes, scopes[type])) return nothing;
    return findingByWords.of(ctx, type)?.(ctx, { weigh, limit: query.limit }) ?? nothing;
  };
  const asksMemories = wanted.has('memory') || wanted.has('highlight');
  const found = asksMemories ? await findMemories(ctx, query, parsed) : null;
  const [cluster, space] = [await others('cluster'), await others('space')];
  const memory = wanted.has('memory') ? found?.memory : undefined;
  const highlight = wanted.has('highlight') ? found?.highlight : undefined;
  const ids = found?.memory.map(({ id }) => id) ?? [];
  noteAccess(ctx, ids, { via: 'global' }, ofOneSpace(ctx, {}, { query: query.q }));
  recordActivation(ctx, query.session, ids);
  const matches = found?.total ?? 0;
  return {
    query: query.q,
    results: {
      memory: memory ?? [],
      highlight: highlight ?? [],
      cluster: [...cluster.items] as Groups['cluster'],
      space: [...space.items] as Groups['space'],
    },
    total: (memory ? matches : 0) + (highlight ? matches : 0) + cluster.total + space.total,
  };
}

/** Memories that hold one of the words, each with the place where it does. */
async function findMemories(
  ctx: Ctx,
  { q, limit }: Query,
  { phrases }: Keywords,
): Promise<{ memory: Groups['memory']; highlight: Highlight[]; total: number }> {
  const sought = { q, include_superseded: true };
  // Explained, since a misspelt word is marked as the one that it was taken for.
  const page = { offset: 0, limit, explain: true };
  const { hits, total } = await findPage(ctx, { ...sought, wordsOnly: true }, 0, page);
  const plain = hits.map((hit) => ({ ...hit, why: null }));
  const memory = await resultsOf(ctx, plain, sought);
  const known = new Map(hits.map((hit) => [hit.id, hit]));
  const highlight = memory.map(({ id, content }): Highlight => {
    const hit = known.get(id);
    const terms = new Set(hit?.why?.matched);
    return { memory_id: id, ...snippetOf(content, hit?.passage ?? [0, 0], terms, phrases) };
  });
  return { memory, highlight, total };
}
