import type { SearchBody } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { listSegmentIdsOfMemories, segmentsContaining } from '../media/index.ts';
import { embedQuery, findIdsByMetadata, findIdsContaining } from '../memories/index.ts';
import { supersededIds } from '../relationships/index.ts';
import {
  type DocumentKind,
  type Group,
  type GroupBy,
  type HitPage,
  type IndexQuery,
  indexCache,
  retryOnModelChange,
} from '../search-index/index.ts';
import { parseIntent } from './intent.ts';
import { parseQuery, termsOfPhrase, toDecimalString } from './query.ts';

/** What is searched for, without what is shown of it. */
export type SearchCriteria = Omit<
  SearchBody,
  'limit' | 'offset' | 'explain' | 'pipeline' | 'session'
> & {
  /** What holds a word or phrase of it: nothing is embedded, and nothing found by nearness. */
  readonly keywordOnly?: boolean;
};

export interface PageOptions {
  readonly limit: number;
  readonly offset: number;
  /** As PageOf. */
  readonly isContinuation?: boolean;
  readonly explain: boolean;
}

/** One page of what matches, and how much matches in all. Throws 500 embedding_failed. */
export async function findPage(
  ctx: Ctx,
  sought: SearchCriteria,
  threshold: number,
  page: PageOptions,
  of: DocumentKind = 'memory',
): Promise<HitPage> {
  const { accountId } = ctx.actor;
  return withIndexQuery(
    ctx,
    sought,
    threshold,
    (query, model) => indexCache.of(ctx).query({ kind: 'page', of, accountId, query, page }, model),
    of,
  );
}

/** The whole result set: ids and shown scores, best first. */
export async function findAllHits(
  ctx: Ctx,
  sought: SearchCriteria,
  threshold: number,
): Promise<{ id: string; score: number }[]> {
  const { accountId } = ctx.actor;
  const { ids, scores } = await withIndexQuery(ctx, sought, threshold, (query, model) =>
    indexCache.of(ctx).query({ kind: 'all', accountId, query }, model),
  );
  return ids.map((id, i) => ({ id, score: scores[i] as number }));
}

/** How much matches in all, and its largest groups by what the index knows. */
export async function findGroups(
  ctx: Ctx,
  sought: SearchCriteria,
  threshold: number,
  { by, limit }: { by: GroupBy; limit: number },
): Promise<{ total: number; groups: readonly Group<string>[] }> {
  const { accountId } = ctx.actor;
  return withIndexQuery(ctx, sought, threshold, (query, model) =>
    indexCache.of(ctx).query({ kind: 'groups', accountId, query, by, limit }, model),
  );
}

/** Once more where the account has got another embedding model between the query and the answer. */
const withIndexQuery = <T>(
  ctx: Ctx,
  sought: SearchCriteria,
  threshold: number,
  ask: (query: IndexQuery, model: string | undefined) => Promise<T>,
  of: DocumentKind = 'memory',
): Promise<T> =>
  retryOnModelChange(ctx, async () => {
    const { query, model } = await buildIndexQuery(ctx, sought, threshold, of);
    return ask(query, model);
  });

async function buildIndexQuery(
  ctx: Ctx,
  sought: SearchCriteria,
  threshold: number,
  of: DocumentKind,
): Promise<{ query: IndexQuery; model: string | undefined }> {
  const parsed = parseQuery(sought.q);
  const { keywordOnly = false } = sought;
  const spaces = searchableSpaces(ctx, sought);
  const now = ctx.clock.now();
  const [embedded, metadata, superseded] = await Promise.all([
    parsed.text === '' || keywordOnly ? null : embedQuery(ctx, parsed.text),
    memoryIdsByMetadata(ctx, sought).then((ids) => ids && toDocumentIds(ctx, of, ids)),
    sought.include_superseded
      ? null
      : supersededIds(ctx).then((ids) => toDocumentIds(ctx, of, [...ids])),
  ]);
  const { phrases } = parsed;
  const holders = phrases.length > 0 ? await documentsWithPhrases(ctx, of, spaces, phrases) : null;
  // One after the other: a text has room for hundreds, and each may read all that there is.
  const banned: string[][] = [];
  for (const phrase of new Set(parsed.excludedPhrases)) {
    banned.push(await documentsWithPhrases(ctx, of, spaces, [phrase]));
  }
  const facts = factFilters(sought);
  const query: IndexQuery = {
    cacheKey: JSON.stringify([
      sought.q,
      keywordOnly,
      facts,
      sought.metadata,
      superseded !== null,
      spaces,
    ]),
    text: sought.q,
    terms: parsed.terms,
    excludedTerms: parsed.excluded,
    phraseMatches: holders,
    vector: embedded?.vector ?? null,
    keywordOnly,
    spaces,
    intent: parseIntent(sought.q, now),
    filters: {
      ...facts,
      includedIds: metadata,
      excludedIds: [...(superseded ?? []), ...banned.flat()],
    },
    threshold,
    now: now.getTime(),
  };
  return { query, model: embedded?.model };
}

/** Filters that the index decides by itself. */
const factFilters = (
  sought: SearchCriteria,
): Omit<IndexQuery['filters'], 'includedIds' | 'excludedIds'> => ({
  tags: sought.tags,
  tagsAny: sought.tags_any,
  contentType: sought.content_type,
  minPriority: sought.min_priority,
  createdAfter: sought.created_after?.getTime(),
  createdBefore: sought.created_before?.getTime(),
  occurredAfter: sought.occurred_after?.getTime(),
  occurredBefore: sought.occurred_before?.getTime(),
});

/** What may be seen at all: statistics count only this. */
export function searchableSpaces(
  ctx: Ctx,
  { space_id: asked }: Pick<SearchCriteria, 'space_id'>,
): (string | null)[] | null {
  if (asked !== undefined) return [asked];
  return visibleSpaces(ctx.actor)?.map((name) => (name === 'default' ? null : name)) ?? null;
}

/**
 * What only the events of one space say of a search, where it was restricted to that space. A
 * search of several spaces may be meant for one of them: the others must not learn its text.
 */
export function singleSpaceContext(
  ctx: Ctx,
  asked: Pick<SearchCriteria, 'space_id'>,
  context: Readonly<Record<string, string>>,
): { spaceId: string | null; context: Readonly<Record<string, string>> } | undefined {
  const [spaceId, ...others] = searchableSpaces(ctx, asked) ?? [];
  return spaceId === undefined || others.length > 0 ? undefined : { spaceId, context };
}

/** The index knows words; whether they stand as a phrase the content tells. */
async function documentsWithPhrases(
  ctx: Ctx,
  of: DocumentKind,
  spaces: readonly (string | null)[] | null,
  phrases: readonly string[],
): Promise<string[]> {
  const terms = phrases.flatMap(termsOfPhrase);
  const { accountId } = ctx.actor;
  const ids = await indexCache.of(ctx).query({ kind: 'holding', of, accountId, spaces, terms });
  const containing = of === 'memory' ? findIdsContaining : segmentsContaining;
  return [...(await containing(ctx, ids, phrases))];
}

/** Documents of a kind by the memories that they are, or belong to. */
const toDocumentIds = async (ctx: Ctx, of: DocumentKind, memoryIds: string[]): Promise<string[]> =>
  of === 'memory' ? memoryIds : listSegmentIdsOfMemories(ctx, memoryIds);

async function memoryIdsByMetadata(
  ctx: Ctx,
  { metadata }: SearchCriteria,
): Promise<string[] | null> {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length === 0) return null;
  const wanted = pairs.map(([key, value]) => [
    key,
    typeof value === 'number' ? toDecimalString(value) : String(value),
  ]);
  return [...(await findIdsByMetadata(ctx, Object.fromEntries(wanted)))];
}
