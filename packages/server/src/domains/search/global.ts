import {
  globalResultTypes,
  type Highlight,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { createKeywordScorer, type Keywords } from '../../text/keywords.ts';
import { hasScope } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { recordAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { findPage, singleSpaceContext } from './find.ts';
import { keywordSearches } from './hooks.ts';
import { parseQuery } from './query.ts';
import { toMemoryResults } from './results.ts';
import { snippetOf } from './snippet.ts';

type Query = ValidatedRequest<typeof routes.search.global>['query'];
type GlobalResponse = ResponseBody<typeof routes.search.global>;
type ResultGroups = GlobalResponse['results'];

interface GroupPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

const emptyGroup = { items: [], total: 0 };
/** Where a group is filled by another domain, whoever sees it may read that domain. */
const requiredScopes = { cluster: 'clusters:read', space: 'spaces:read' } as const;

/**
 * What holds the words that are asked for, by resource type: `limit` of each group, `total` over
 * all that were asked for. Nothing is embedded, and no search is counted.
 */
export async function searchGlobal(ctx: Ctx, query: Query): Promise<GlobalResponse> {
  const wanted = new Set(query.types ?? globalResultTypes);
  const parsed = parseQuery(query.q);
  const weigh = createKeywordScorer(parsed);
  const others = (
    type: keyof typeof requiredScopes,
  ): Promise<GroupPage<object>> | GroupPage<object> => {
    if (!wanted.has(type) || !hasScope(ctx.actor.scopes, requiredScopes[type])) return emptyGroup;
    return keywordSearches.of(ctx, type)?.(ctx, { weigh, limit: query.limit }) ?? emptyGroup;
  };
  const asksMemories = wanted.has('memory') || wanted.has('highlight');
  const found = asksMemories ? await findMemoriesByKeyword(ctx, query, parsed) : null;
  const [cluster, space] = [await others('cluster'), await others('space')];
  const memory = wanted.has('memory') ? found?.memory : undefined;
  const highlight = wanted.has('highlight') ? found?.highlight : undefined;
  const ids = found?.memory.map(({ id }) => id) ?? [];
  recordAccess(ctx, ids, { via: 'global' }, singleSpaceContext(ctx, {}, { query: query.q }));
  recordActivation(ctx, query.session, ids);
  const matches = found?.total ?? 0;
  return {
    query: query.q,
    results: {
      memory: memory ?? [],
      highlight: highlight ?? [],
      cluster: [...cluster.items] as ResultGroups['cluster'],
      space: [...space.items] as ResultGroups['space'],
    },
    total: (memory ? matches : 0) + (highlight ? matches : 0) + cluster.total + space.total,
  };
}

/** Memories that hold one of the words, each with the place where it does. */
async function findMemoriesByKeyword(
  ctx: Ctx,
  { q, limit }: Query,
  { phrases }: Keywords,
): Promise<{ memory: ResultGroups['memory']; highlight: Highlight[]; total: number }> {
  const sought = { q, include_superseded: true };
  // Explained, since a misspelt word is marked as the one that it was taken for.
  const page = { offset: 0, limit, explain: true };
  const { hits, total } = await findPage(ctx, { ...sought, keywordOnly: true }, 0, page);
  const plain = hits.map((hit) => ({ ...hit, why: null }));
  const memory = await toMemoryResults(ctx, plain, sought);
  const known = new Map(hits.map((hit) => [hit.id, hit]));
  const highlight = memory.map(({ id, content }): Highlight => {
    const hit = known.get(id);
    const terms = new Set(hit?.explanation?.matchedTerms);
    return { memory_id: id, ...snippetOf(content, hit?.passage ?? [0, 0], terms, phrases) };
  });
  return { memory, highlight, total };
}
