import type { SearchBody } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { listSegmentIdsOfMemories, segmentsContaining } from '../media/index.ts';
import { embedQuery, findIdsByMetadata, findIdsContaining } from '../memories/index.ts';
import { supersededIds } from '../relationships/index.ts';
import {
  type DocumentKind,
  type GroupBy,
  type HitPage,
  type IndexQuery,
  indexCache,
  type ResultGroup,
  rankerNameOf,
  retryOnModelChange,
} from '../search-index/index.ts';
import { parseQueryIntent } from './intent.ts';
import { parseQuery, termsOfPhrase, toDecimalString } from './query.ts';

/** The criteria of a search, without what the response shows. */
export type SearchCriteria = Omit<
  SearchBody,
  'limit' | 'offset' | 'explain' | 'why' | 'pipeline' | 'session'
> & {
  /** Matches only documents that contain a word or phrase: nothing is embedded. */
  readonly keywordOnly?: boolean;
};

export interface HitPageOptions {
  readonly limit: number;
  readonly offset: number;
  /** As in `HitPageRequest`. */
  readonly isContinuation?: boolean;
  readonly explain: boolean;
  /** A memory whose place is to be explained. */
  readonly why?: string | undefined;
}

/** One page of matches and their total number. Throws 500 embedding_failed. */
export async function findHitPage(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
  page: HitPageOptions,
  kind: DocumentKind = 'memory',
): Promise<HitPage> {
  const { accountId } = ctx.actor;
  return withIndexQuery(
    ctx,
    criteria,
    threshold,
    (query, model) =>
      indexCache.of(ctx).query({ kind: 'page', of: kind, accountId, query, page }, model),
    kind,
  );
}

/** The whole result set: ids and shown scores, best first. */
export async function findAllHits(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
): Promise<{ id: string; score: number }[]> {
  const { accountId } = ctx.actor;
  const { ids, scores } = await withIndexQuery(ctx, criteria, threshold, (query, model) =>
    indexCache.of(ctx).query({ kind: 'all', accountId, query }, model),
  );
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
  return withIndexQuery(ctx, criteria, threshold, (query, model) =>
    indexCache.of(ctx).query({ kind: 'groups', accountId, query, by, limit }, model),
  );
}

/** Runs again if the account's embedding model changes between the query and the response. */
const withIndexQuery = <T>(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
  runQuery: (query: IndexQuery, model: string | undefined) => Promise<T>,
  kind: DocumentKind = 'memory',
): Promise<T> =>
  retryOnModelChange(ctx, async () => {
    const { query, model } = await buildIndexQuery(ctx, criteria, threshold, kind);
    return runQuery(query, model);
  });

async function buildIndexQuery(
  ctx: Ctx,
  criteria: SearchCriteria,
  threshold: number,
  kind: DocumentKind,
): Promise<{ query: IndexQuery; model: string | undefined }> {
  const parsed = parseQuery(criteria.q);
  const { keywordOnly = false } = criteria;
  const spaces = searchableSpaces(ctx, criteria);
  const now = ctx.clock.now();
  const [embedded, metadata, superseded] = await Promise.all([
    parsed.text === '' || keywordOnly ? null : embedQuery(ctx, parsed.text),
    memoryIdsByMetadata(ctx, criteria).then((ids) => ids && toDocumentIds(ctx, kind, ids)),
    criteria.include_superseded
      ? null
      : supersededIds(ctx).then((ids) => toDocumentIds(ctx, kind, [...ids])),
  ]);
  const { requiredPhrases, preferredPhrases } = parsed;
  const phraseMatches =
    requiredPhrases.length > 0
      ? await documentsWithPhrases(ctx, kind, spaces, requiredPhrases)
      : null;
  const preferredMatches: string[][] = [];
  // Sequentially: a text can have hundreds of phrases, and each may read all documents.
  const excludedIds: string[][] = [];
  for (const phrase of new Set(parsed.excludedPhrases)) {
    excludedIds.push(await documentsWithPhrases(ctx, kind, spaces, [phrase]));
  }
  for (const phrase of new Set(preferredPhrases)) {
    preferredMatches.push(await documentsWithPhrases(ctx, kind, spaces, [phrase]));
  }
  const facts = factFilters(criteria);
  const query: IndexQuery = {
    cacheKey: JSON.stringify([
      criteria.q,
      keywordOnly,
      facts,
      criteria.metadata,
      superseded !== null,
      spaces,
    ]),
    text: criteria.q,
    terms: parsed.terms,
    excludedTerms: parsed.excluded,
    fragments: parsed.fragments,
    phraseMatches,
    preferredMatches: preferredMatches.flat(),
    vector: embedded?.vector ?? null,
    ranker: rankerNameOf(embedded?.model ?? ''),
    keywordOnly,
    spaces,
    intent: parseQueryIntent(criteria.q, now),
    filters: {
      ...facts,
      includedIds: metadata,
      excludedIds: [...(superseded ?? []), ...excludedIds.flat()],
    },
    threshold,
    now: now.getTime(),
  };
  return { query, model: embedded?.model };
}

/** Filters that the index evaluates itself. */
const factFilters = (
  criteria: SearchCriteria,
): Omit<IndexQuery['filters'], 'includedIds' | 'excludedIds'> => ({
  tags: criteria.tags,
  tagsAny: criteria.tags_any,
  contentType: criteria.content_type,
  minPriority: criteria.min_priority,
  createdAfter: criteria.created_after?.getTime(),
  createdBefore: criteria.created_before?.getTime(),
  occurredAfter: criteria.occurred_after?.getTime(),
  occurredBefore: criteria.occurred_before?.getTime(),
});

/** The visible spaces: statistics count only these. */
export function searchableSpaces(
  ctx: Ctx,
  { space_id: requested }: Pick<SearchCriteria, 'space_id'>,
): (string | null)[] | null {
  if (requested !== undefined) return [requested];
  return visibleSpaces(ctx.actor)?.map((name) => (name === 'default' ? null : name)) ?? null;
}

/**
 * Only events of a single space include the search text, if the search was restricted to that
 * space. A search of several spaces may be meant for one of them: the others must not see its text.
 */
export function singleSpaceEventContext(
  ctx: Ctx,
  requested: Pick<SearchCriteria, 'space_id'>,
  context: Readonly<Record<string, string>>,
): { spaceId: string | null; context: Readonly<Record<string, string>> } | undefined {
  const [spaceId, ...otherSpaces] = searchableSpaces(ctx, requested) ?? [];
  return spaceId === undefined || otherSpaces.length > 0 ? undefined : { spaceId, context };
}

/** The index has words; whether they form a phrase is checked in the content. */
async function documentsWithPhrases(
  ctx: Ctx,
  kind: DocumentKind,
  spaces: readonly (string | null)[] | null,
  phrases: readonly string[],
): Promise<string[]> {
  const terms = phrases.flatMap(termsOfPhrase);
  const { accountId } = ctx.actor;
  const ids = await indexCache
    .of(ctx)
    .query({ kind: 'holding', of: kind, accountId, spaces, terms });
  const containing = kind === 'memory' ? findIdsContaining : segmentsContaining;
  return [...(await containing(ctx, ids, phrases))];
}

/** Document ids of a kind for these memories: their own, or those that belong to them. */
const toDocumentIds = async (
  ctx: Ctx,
  kind: DocumentKind,
  memoryIds: string[],
): Promise<string[]> => (kind === 'memory' ? memoryIds : listSegmentIdsOfMemories(ctx, memoryIds));

async function memoryIdsByMetadata(
  ctx: Ctx,
  { metadata }: SearchCriteria,
): Promise<string[] | null> {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length === 0) return null;
  const criteria = pairs.map(([key, value]) => [
    key,
    typeof value === 'number' ? toDecimalString(value) : String(value),
  ]);
  return [...(await findIdsByMetadata(ctx, Object.fromEntries(criteria)))];
}
