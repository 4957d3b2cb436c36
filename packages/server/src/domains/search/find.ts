import type { SearchBody } from '@mneme/contract';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import {
  type DocumentKind,
  type Group,
  type GroupBy,
  type HitPage,
  type IndexQuery,
  indexShelf,
  untilModelHolds,
} from '../index/index.ts';
import { segmentsContaining, segmentsIn } from '../media/index.ts';
import { embedQuery, memoriesContaining, memoriesWithMetadata } from '../memories/index.ts';
import { supersededIds } from '../relationships/index.ts';
import { intentOf } from './intent.ts';
import { parseQuery, plainNumber, termsOfPhrase } from './query.ts';

/** What is searched for, without what is shown of it. */
export type Sought = Omit<SearchBody, 'limit' | 'offset' | 'explain' | 'pipeline' | 'session'> & {
  /** What holds a word or phrase of it: nothing is embedded, and nothing found by nearness. */
  readonly wordsOnly?: boolean;
};

export interface Shown {
  readonly limit: number;
  readonly offset: number;
  /** As PageOf. */
  readonly goesOn?: boolean;
  readonly explain: boolean;
}

/** One page of what matches, and how much matches in all. Throws 500 embedding_failed. */
export async function findPage(
  ctx: Ctx,
  sought: Sought,
  threshold: number,
  page: Shown,
  of: DocumentKind = 'memory',
): Promise<HitPage> {
  const { accountId } = ctx.actor;
  return withQuery(
    ctx,
    sought,
    threshold,
    (query, model) => indexShelf.of(ctx).ask({ kind: 'page', of, accountId, query, page }, model),
    of,
  );
}

/** The whole result set: ids and shown scores, best first. */
export async function findAll(
  ctx: Ctx,
  sought: Sought,
  threshold: number,
): Promise<{ id: string; score: number }[]> {
  const { accountId } = ctx.actor;
  const { ids, scores } = await withQuery(ctx, sought, threshold, (query, model) =>
    indexShelf.of(ctx).ask({ kind: 'all', accountId, query }, model),
  );
  return ids.map((id, i) => ({ id, score: scores[i] as number }));
}

/** How much matches in all, and its largest groups by what the index knows. */
export async function findGroups(
  ctx: Ctx,
  sought: Sought,
  threshold: number,
  { by, limit }: { by: GroupBy; limit: number },
): Promise<{ total: number; groups: readonly Group<string>[] }> {
  const { accountId } = ctx.actor;
  return withQuery(ctx, sought, threshold, (query, model) =>
    indexShelf.of(ctx).ask({ kind: 'groups', accountId, query, by, limit }, model),
  );
}

/** Once more where the account has got another embedding model between the query and the answer. */
const withQuery = <T>(
  ctx: Ctx,
  sought: Sought,
  threshold: number,
  ask: (query: IndexQuery, model: string | undefined) => Promise<T>,
  of: DocumentKind = 'memory',
): Promise<T> =>
  untilModelHolds(ctx, async () => {
    const { query, model } = await indexQuery(ctx, sought, threshold, of);
    return ask(query, model);
  });

async function indexQuery(
  ctx: Ctx,
  sought: Sought,
  threshold: number,
  of: DocumentKind,
): Promise<{ query: IndexQuery; model: string | undefined }> {
  const parsed = parseQuery(sought.q);
  const { wordsOnly = false } = sought;
  const spaces = spacesOf(ctx, sought);
  const now = ctx.clock.now();
  const [embedded, metadata, superseded] = await Promise.all([
    parsed.text === '' || wordsOnly ? null : embedQuery(ctx, parsed.text),
    metadataFilter(ctx, sought).then((ids) => ids && documentsOf(ctx, of, ids)),
    sought.include_superseded
      ? null
      : supersededIds(ctx).then((ids) => documentsOf(ctx, of, [...ids])),
  ]);
  const { phrases } = parsed;
  const holders = phrases.length > 0 ? await holdersOf(ctx, of, spaces, phrases) : null;
  // One after the other: a text has room for hundreds, and each may read all that there is.
  const banned: string[][] = [];
  for (const phrase of new Set(parsed.excludedPhrases)) {
    banned.push(await holdersOf(ctx, of, spaces, [phrase]));
  }
  const facts = factsOf(sought);
  const query: IndexQuery = {
    identity: JSON.stringify([
      sought.q,
      wordsOnly,
      facts,
      sought.metadata,
      superseded !== null,
      spaces,
    ]),
    text: sought.q,
    terms: parsed.terms,
    excluded: parsed.excluded,
    holders,
    vector: embedded?.vector ?? null,
    wordsOnly,
    spaces,
    intent: intentOf(sought.q, now),
    filters: { ...facts, within: metadata, without: [...(superseded ?? []), ...banned.flat()] },
    threshold,
    now: now.getTime(),
  };
  return { query, model: embedded?.model };
}

/** Filters that the index decides by itself. */
const factsOf = (sought: Sought): Omit<IndexQuery['filters'], 'within' | 'without'> => ({
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
export function spacesOf(
  ctx: Ctx,
  { space_id: asked }: Pick<Sought, 'space_id'>,
): (string | null)[] | null {
  if (asked !== undefined) return [asked];
  return visibleSpaces(ctx.actor)?.map((name) => (name === 'default' ? null : name)) ?? null;
}

/**
 * What only the events of one space say of a search, where it was restricted to that space. A
 * search of several spaces may be meant for one of them: the others must not learn its text.
 */
export function ofOneSpace(
  ctx: Ctx,
  asked: Pick<Sought, 'space_id'>,
  context: Readonly<Record<string, string>>,
): { spaceId: string | null; context: Readonly<Record<string, string>> } | undefined {
  const [spaceId, ...others] = spacesOf(ctx, asked) ?? [];
  return spaceId === undefined || others.length > 0 ? undefined : { spaceId, context };
}

/** The index knows words; whether they stand as a phrase the content tells. */
async function holdersOf(
  ctx: Ctx,
  of: DocumentKind,
  spaces: readonly (string | null)[] | null,
  phrases: readonly string[],
): Promise<string[]> {
  const terms = phrases.flatMap(termsOfPhrase);
  const { accountId } = ctx.actor;
  const ids = await indexShelf.of(ctx).ask({ kind: 'holding', of, accountId, spaces, terms });
  const containing = of === 'memory' ? memoriesContaining : segmentsContaining;
  return [...(await containing(ctx, ids, phrases))];
}

/** Documents of a kind by the memories that they are, or belong to. */
const documentsOf = async (ctx: Ctx, of: DocumentKind, memoryIds: string[]): Promise<string[]> =>
  of === 'memory' ? memoryIds : segmentsIn(ctx, memoryIds);

async function metadataFilter(ctx: Ctx, { metadata }: Sought): Promise<string[] | null> {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length === 0) return null;
  const wanted = pairs.map(([key, value]) => [
    key,
    typeof value === 'number' ? plainNumber(value) : String(value),
  ]);
  return [...(await memoriesWithMetadata(ctx, Object.fromEntries(wanted)))];
}
