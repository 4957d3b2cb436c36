import {
  globalResultTypes,
  type Highlight,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { createKeywordScorer, type KeywordQuery } from '@mneme/text';
import { hasScope } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { recordAccess } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { findHitPage } from './find.ts';
import { keywordSearchRegistry } from './hooks.ts';
import { parseQuery } from './query.ts';
import { toMemoryResults } from './results.ts';
import { singleSpaceEventContext } from './searchable-spaces.ts';
import { snippetOf } from './snippet.ts';

type Query = ValidatedRequest<typeof routes.search.global>['query'];
type GlobalResponse = ResponseBody<typeof routes.search.global>;
type ResultGroups = GlobalResponse['results'];

interface GroupPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

const emptyGroup = { items: [], total: 0 };
/** A group that another domain fills requires read access to that domain. */
const requiredScopes = { cluster: 'clusters:read', space: 'spaces:read' } as const;

/**
 * Finds what contains the query's words, by resource type: `limit` per group, `total` over all
 * requested groups. Nothing is embedded, and no search is charged.
 */
export async function searchGlobal(ctx: Ctx, query: Query): Promise<GlobalResponse> {
  const requestedTypes = new Set(query.types ?? globalResultTypes);
  const parsed = parseQuery(query.q);
  const weigh = createKeywordScorer(parsed);
  const searchGroup = (
    type: keyof typeof requiredScopes,
  ): Promise<GroupPage<object>> | GroupPage<object> => {
    // A cluster and a space say something about the memories of every user.
    if (ctx.actor.user !== null) return emptyGroup;
    if (!requestedTypes.has(type) || !hasScope(ctx.actor.scopes, requiredScopes[type]))
      return emptyGroup;
    return keywordSearchRegistry.of(ctx, type)?.(ctx, { weigh, limit: query.limit }) ?? emptyGroup;
  };
  const needsMemories = requestedTypes.has('memory') || requestedTypes.has('highlight');
  const groups = needsMemories ? await findMemoriesByKeyword(ctx, query, parsed) : null;
  const [cluster, space] = [await searchGroup('cluster'), await searchGroup('space')];
  const memory = requestedTypes.has('memory') ? groups?.memory : undefined;
  const highlight = requestedTypes.has('highlight') ? groups?.highlight : undefined;
  const ids = groups?.memory.map(({ id }) => id) ?? [];
  recordAccess(ctx, ids, { via: 'global' }, singleSpaceEventContext(ctx, {}, { query: query.q }));
  recordActivation(ctx, query.session, ids);
  const matches = groups?.total ?? 0;
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

/** Memories that contain one of the words, each with a highlight. */
async function findMemoriesByKeyword(
  ctx: Ctx,
  { q, user_id, agent_id, run_id, limit }: Query,
  { requiredPhrases, preferredPhrases }: KeywordQuery,
): Promise<{ memory: ResultGroups['memory']; highlight: Highlight[]; total: number }> {
  const phrases = [...requiredPhrases, ...preferredPhrases];
  const criteria = { q, user_id, agent_id, run_id, include_superseded: true };
  // With explanations, so that the spelling that matched is highlighted.
  const page = { offset: 0, limit, explain: true };
  const { hits, total } = await findHitPage(ctx, { ...criteria, keywordOnly: true }, 0, page);
  const plain = hits.map((hit) => ({ ...hit, explanation: null }));
  const memory = await toMemoryResults(ctx, plain, criteria);
  const hitsById = new Map(hits.map((hit) => [hit.id, hit]));
  const highlight = memory.map(({ id, content }): Highlight => {
    const hit = hitsById.get(id);
    const terms = new Set(hit?.explanation?.matchedTerms);
    return { memory_id: id, ...snippetOf(content, hit?.passage ?? [0, 0], terms, phrases) };
  });
  return { memory, highlight, total };
}
