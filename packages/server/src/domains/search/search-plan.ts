import type { Owner, SearchBody } from '@mneme/contract';
import type { KeywordQuery } from '@mneme/text';
import { type Actor, type Ctx, requestedUser } from '../ctx.ts';
import { findFactSupport } from '../graph/index.ts';
import { listSegmentIdsOfMemories, segmentsContaining } from '../media/index.ts';
import { embedQuery, findIdsByMetadata, findIdsContaining } from '../memories/index.ts';
import { supersededIds } from '../relationships/index.ts';
import {
  type DocumentKind,
  type IndexQuery,
  indexCache,
  type QueryIntent,
  rankerNameOf,
} from '../search-index/index.ts';
import { parseFactQuestion } from './fact-question.ts';
import { parseFactTime } from './fact-time.ts';
import { parseQueryIntent } from './intent.ts';
import { parseQuery, parseRewrite, termsOfPhrase, toDecimalString } from './query.ts';
import { indexedSpaces, searchableOwner, searchableSpaces } from './searchable-spaces.ts';
import { timedStage } from './timed-stage.ts';

/** The criteria of a search, without what the response shows. */
export type SearchCriteria = Omit<
  SearchBody,
  'limit' | 'offset' | 'explain' | 'why' | 'pipeline' | 'session' | 'rewrite' | 'rerank'
> & {
  /** Matches only documents that contain a word or phrase: nothing is embedded. */
  readonly keywordOnly?: boolean;
  /** Instead of user_id, agent_id and run_id: memories of exactly this owner. */
  readonly exactOwner?: Owner;
  /** The query that `q` rewrites: its phrases and exclusions hold, and `q` has no operators. */
  readonly rewriteOf?: KeywordQuery;
};

/** What is resolved once for a search, whatever kinds of documents and pages it needs. */
interface SharedPlan {
  readonly criteria: SearchCriteria;
  readonly parsed: KeywordQuery;
  readonly intent: QueryIntent;
  readonly spaces: readonly (string | null)[] | null;
  readonly embedded: Awaited<ReturnType<typeof embedQuery>> | null;
  /** Memories that match the metadata; null: no filter. */
  readonly withMetadata: readonly string[] | null;
  readonly factSupport: ReadonlyMap<string, number>;
  readonly now: Date;
}

/**
 * A search as it is executed: the text is parsed and embedded once, and filters are resolved once
 * for each kind of document.
 */
export class SearchPlan {
  readonly #ctx: Ctx;
  readonly #shared: SharedPlan;
  readonly #queries = new Map<DocumentKind, Promise<Omit<IndexQuery, 'threshold'>>>();

  private constructor(ctx: Ctx, shared: SharedPlan) {
    this.#ctx = ctx;
    this.#shared = shared;
  }

  /** Throws 403 user_access_denied, 500 embedding_failed. */
  static async create(ctx: Ctx, criteria: SearchCriteria): Promise<SearchPlan> {
    requestedUser(ctx.actor, criteria.user_id);
    const parsed = criteria.rewriteOf
      ? parseRewrite(criteria.q, criteria.rewriteOf)
      : parseQuery(criteria.q);
    const now = ctx.clock.now();
    const isEmbedded = parsed.text !== '' && criteria.keywordOnly !== true;
    const intent = parseQueryIntent(criteria.q, now);
    const [embedded, withMetadata, factSupport] = await Promise.all([
      isEmbedded ? timedStage(ctx, 'embed', () => embedQuery(ctx, parsed.text)) : null,
      memoryIdsByMetadata(ctx, criteria),
      isEmbedded ? factSupportFor(ctx, criteria, intent) : new Map<string, number>(),
    ]);
    return new SearchPlan(ctx, {
      criteria,
      parsed,
      intent,
      spaces: searchableSpaces(ctx, criteria),
      embedded,
      withMetadata,
      factSupport,
      now,
    });
  }

  /** The model of the query's vector; undefined without one. */
  get model(): string | undefined {
    return this.#shared.embedded?.model;
  }

  async query(kind: DocumentKind, threshold: number): Promise<IndexQuery> {
    const query = this.#queries.get(kind) ?? this.#build(kind);
    this.#queries.set(kind, query);
    return { ...(await query), threshold };
  }

  async #build(kind: DocumentKind): Promise<Omit<IndexQuery, 'threshold'>> {
    const { criteria, parsed, intent, spaces, embedded, factSupport, now } = this.#shared;
    const { keywordOnly = false } = criteria;
    const { requiredPhrases, preferredPhrases, excludedPhrases } = parsed;
    const isRequired = requiredPhrases.length > 0;
    const phraseMatches = isRequired ? await this.#withPhrases(kind, requiredPhrases) : null;
    const { actor } = this.#ctx;
    const visibleUser = actor.user;
    const visibleSpaces = indexedSpaces(this.#ctx);
    const facts = factFilters(actor, criteria);
    return {
      cacheKey: JSON.stringify([
        criteria.q,
        keywordOnly,
        facts,
        criteria.metadata,
        criteria.include_superseded,
        criteria.as_of,
        spaces,
        visibleSpaces,
        visibleUser,
        criteria.rewriteOf,
      ]),
      text: criteria.q,
      terms: parsed.terms,
      excludedTerms: parsed.excluded,
      fragments: parsed.fragments,
      phraseMatches,
      factSupport,
      preferredMatches: await this.#withAnyPhrase(kind, preferredPhrases),
      vector: embedded?.vector ?? null,
      ranker: rankerNameOf(embedded?.model ?? ''),
      keywordOnly,
      spaces,
      visibleSpaces,
      visibleUser,
      dropsSuperseded: kind === 'memory' && !criteria.include_superseded,
      intent,
      asOf: criteria.as_of?.getTime(),
      filters: {
        ...facts,
        includedIds: await this.#toDocumentIds(kind, this.#shared.withMetadata),
        excludedIds: [
          ...(await this.#supersededSegments(kind)),
          ...(await this.#withAnyPhrase(kind, excludedPhrases)),
        ],
      },
      now: now.getTime(),
    };
  }

  /** Sequentially: a text can have hundreds of phrases, and each may read all documents. */
  async #withAnyPhrase(kind: DocumentKind, phrases: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const phrase of new Set(phrases)) ids.push(...(await this.#withPhrases(kind, [phrase])));
    return ids;
  }

  /** The index has words; whether they form a phrase is checked in the content. */
  async #withPhrases(kind: DocumentKind, phrases: readonly string[]): Promise<string[]> {
    const ctx = this.#ctx;
    const terms = phrases.flatMap(termsOfPhrase);
    const { accountId } = ctx.actor;
    const { spaces } = this.#shared;
    const request = { kind: 'holding', of: kind, accountId, spaces, terms } as const;
    const ids = await indexCache.of(ctx).query(request);
    const containing = kind === 'memory' ? findIdsContaining : segmentsContaining;
    return [...(await containing(ctx, ids, phrases))];
  }

  /** The index knows what supersedes a memory, not whose segments are outdated with it. */
  async #supersededSegments(kind: DocumentKind): Promise<readonly string[]> {
    if (kind === 'memory' || this.#shared.criteria.include_superseded) return [];
    return listSegmentIdsOfMemories(this.#ctx, [...(await supersededIds(this.#ctx))]);
  }

  /** Ids of documents of a kind for these memories: their own, or those that belong to them. */
  async #toDocumentIds(
    kind: DocumentKind,
    memoryIds: readonly string[] | null,
  ): Promise<readonly string[] | null> {
    if (memoryIds === null || kind === 'memory') return memoryIds;
    return listSegmentIdsOfMemories(this.#ctx, [...memoryIds]);
  }
}

/** Filters that the index evaluates itself. */
const factFilters = (
  actor: Actor,
  criteria: SearchCriteria,
): Omit<IndexQuery['filters'], 'includedIds' | 'excludedIds'> => ({
  owner: criteria.exactOwner ?? searchableOwner(actor, criteria),
  tags: criteria.tags,
  tagsAny: criteria.tags_any,
  contentType: criteria.content_type,
  minPriority: criteria.min_priority,
  createdAfter: criteria.created_after?.getTime(),
  createdBefore: criteria.created_before?.getTime(),
  occurredAfter: criteria.occurred_after?.getTime(),
  occurredBefore: criteria.occurred_before?.getTime(),
});

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

/** Nothing is looked up unless the question asks for a known predicate of somebody it names. */
async function factSupportFor(
  ctx: Ctx,
  criteria: SearchCriteria,
  { isAboutPast }: QueryIntent,
): Promise<ReadonlyMap<string, number>> {
  const question = parseFactQuestion(criteria.q);
  if (question === null) return new Map();
  const time = parseFactTime(criteria.q, isAboutPast, {
    now: ctx.clock.now(),
    asOf: criteria.as_of,
  });
  const spaces = searchableSpaces(ctx, criteria);
  return findFactSupport(ctx, question, { spaces, user: criteria.user_id ?? null }, time);
}
