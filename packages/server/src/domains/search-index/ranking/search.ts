import type { AccountIndex } from '../account/account-index.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import { computeCosines, isNarrowScope } from './cosine.ts';
import {
  bestPassageOf,
  boostsOf,
  computeFeatureContributions,
  computeFullMatchScore,
  type FeatureName,
  featureNames,
  type QueryContext,
} from './features.ts';
import { createDocumentFilter, documentsWithAllTerms } from './filter.ts';
import { fuzzyTerms } from './fuzzy-terms.ts';
import { type GroupBy, GroupCollector, groupKeysOf, type ResultGroup } from './groups.ts';
import { KeywordMatcher, type KeywordMatches } from './keyword-matcher.ts';
import {
  makeScoresNonIncreasing,
  type RankingInput,
  shownScoreHeadLength,
  topDocuments,
} from './order.ts';
import type { IndexQuery } from './query.ts';
import { matchedTerms, Scorer } from './score.ts';

/** Below this cosine two texts are unrelated. */
const cosineMin = 0.25;
/** More distinct terms than a question has; a long pasted text is cut off here. */
const termsMax = 160;
/** At most this many unknown terms are spell-checked: each costs about a millisecond. */
const fuzzyLookupsMax = 8;

interface MatchExplanation {
  readonly semanticRank: number | null;
  readonly semanticScore: number | null;
  readonly keywordRank: number | null;
  readonly keywordScore: number | null;
  readonly matchedTerms: readonly string[];
  readonly features: Readonly<Record<FeatureName, number>>;
  readonly priorityBoost: number;
  readonly salienceBoost: number;
}

export interface Hit {
  readonly id: string;
  /** 0..1, comparable between queries, never increasing down the list. */
  readonly score: number;
  /** Range of the best passage in the text, in characters. */
  readonly passage: readonly [start: number, end: number];
  readonly explanation: MatchExplanation | null;
}

export interface HitPage {
  readonly total: number;
  readonly hits: readonly Hit[];
}

export interface HitPageRequest {
  readonly offset: number;
  /** A later page, although it may start with the first hit of its kind. */
  readonly isContinuation?: boolean;
  readonly limit: number;
  readonly explain: boolean;
}

/** One search over one account: ranks everything that matches, then returns pages. */
export class Search {
  readonly #index: AccountIndex;
  readonly #buffers: SearchBuffers;
  readonly #scope: SearchScope;
  readonly #matches: KeywordMatches;
  readonly #context: QueryContext;
  readonly #scorer: Scorer;

  /** Uses the buffers until `release` is called. */
  constructor(index: AccountIndex, buffers: SearchBuffers, query: IndexQuery) {
    this.#index = index;
    this.#buffers = buffers;
    this.#scope = index.scope(query.spaces);
    const { length } = index.columns;
    buffers.ensureCapacity(length, index.passageDocument.length, index.sessions.all.length);
    computeCosines(index, this.#scope, query.vector, buffers.semantic);
    const terms = [...new Set(query.terms)].slice(0, termsMax);
    let lookups = 0;
    this.#matches = new KeywordMatcher(index, this.#scope, buffers).match(terms, (term) => {
      lookups += 1;
      if (lookups > fuzzyLookupsMax) return [];
      return fuzzyTerms(index.terms, term, query.text, (other) => this.#documentFrequency(other));
    });
    this.#addSimilarDocuments(query.vector !== null);
    for (const id of query.phraseMatches ?? []) {
      const document = index.findNumber(id);
      if (document !== undefined) buffers.touch(document);
    }
    const speaker = namedSpeaker(index, this.#scope, query.intent.names);
    this.#context = {
      index,
      buffers,
      query,
      speaker,
      isAboutSelf: query.intent.isAboutSelf && speaker < 0,
      fullMatch: computeFullMatchScore(index, buffers, this.#matches.idfSum),
      bestSession: maxValue(buffers.sessionScore, buffers.sessions.view()),
    };
    this.#scorer = new Scorer(this.#context, this.#matches);
  }

  /** Ranks all documents that pass the filters and the threshold. */
  rank(): RankingInput {
    const { query } = this.#context;
    const passes = createDocumentFilter(this.#index, this.#scope, query);
    const { ownIdfSum } = this.#buffers;
    // A phrase may consist of stop words only: the documents that contain it match by it.
    const byWords = query.keywordOnly === true && query.phraseMatches === null;
    const documents = this.#buffers.documents
      .view()
      .filter((one) => passes(one) && (!byWords || (ownIdfSum[one] as number) > 0));
    const ranked =
      query.threshold > 0
        ? documents.filter((document) => this.#scorer.score(document) >= query.threshold)
        : documents;
    const orders = new Float64Array(ranked.length);
    const features = new Float64Array(featureNames.length);
    for (let i = 0; i < ranked.length; i += 1) {
      computeFeatureContributions(this.#context, ranked[i] as number, features);
      const boosts = boostsOf(this.#context, ranked[i] as number);
      orders[i] = sumOf(features) * boosts.priority * boosts.salience;
    }
    return { documents: ranked, sortValues: orders };
  }

  /** Returns one page of a ranking, which may have been made earlier by the same query. */
  page(ranking: RankingInput, { offset, limit, explain }: HitPageRequest): HitPage {
    const until = Math.max(shownScoreHeadLength, offset + limit);
    const first = topDocuments(this.#index, ranking, until);
    const scores = makeScoresNonIncreasing([...first].map((document) => this.#scoreOf(document)));
    const hits: Hit[] = [];
    for (let at = offset; at < Math.min(first.length, offset + limit); at += 1) {
      const document = this.#index.latestNumber(first[at] as number);
      if (document < 0) continue;
      hits.push({
        id: this.#index.ids[document] as string,
        score: scores[at] as number,
        passage: this.#passageRange(document),
        explanation: explain ? this.#explain(ranking, document) : null,
      });
    }
    return { total: ranking.documents.length, hits };
  }

  /** The whole of a new ranking, best first. */
  allHits(ranking: RankingInput): { ids: string[]; scores: Float64Array } {
    const { documents, scores } = this.#sorted(ranking);
    return {
      ids: [...documents].map((document) => this.#index.ids[document] as string),
      scores: Float64Array.from(scores),
    };
  }

  /** The whole of a new ranking, counted by document properties. */
  groups(ranking: RankingInput, by: GroupBy, limit: number): ResultGroup<string>[] {
    const { documents, scores } = this.#sorted(ranking);
    const groups = new GroupCollector<number>();
    const keys = groupKeysOf(this.#index, by);
    for (const [index, document] of documents.entries()) {
      for (const key of keys(document)) groups.add(key, document, scores[index] as number);
    }
    return groups.largest(limit).map(({ top, ...group }) => ({
      ...group,
      top: top.map(({ id, score }) => ({ id: this.#index.ids[id] as string, score })),
    }));
  }

  /** Releases the buffers. */
  release(): void {
    this.#buffers.clear();
  }

  #sorted(ranking: RankingInput): { documents: Int32Array; scores: readonly number[] } {
    const documents = topDocuments(this.#index, ranking, ranking.documents.length);
    const scores = makeScoresNonIncreasing(
      [...documents].map((document) => this.#scoreOf(document)),
    );
    return { documents, scores };
  }

  #scoreOf(document: number): number {
    const latest = this.#index.latestNumber(document);
    return latest < 0 ? 0 : this.#scorer.score(latest);
  }

  #documentFrequency(term: string): number {
    const cached = this.#index.terms.documentFrequency(term);
    if (cached === 0 || this.#scope.isWholeAccount) return cached;
    return documentsWithAllTerms(this.#index, this.#scope, [term]).size;
  }

  #addSimilarDocuments(hasVector: boolean): void {
    if (!hasVector) return;
    const { semantic } = this.#buffers;
    const { columns } = this.#index;
    const { visible } = this.#scope;
    if (isNarrowScope(this.#index, this.#scope)) {
      for (const { documents } of this.#scope.spaces) {
        for (const document of documents.view()) this.#addIfSimilar(document);
      }
      return;
    }
    for (let document = 0; document < columns.length; document += 1) {
      if ((semantic[document] as number) < cosineMin) continue;
      if (visible[columns.space[document] as number] === 1) this.#addIfSimilar(document);
    }
  }

  #addIfSimilar(document: number): void {
    if ((this.#buffers.semantic[document] as number) < cosineMin) return;
    if (this.#index.isLive(document)) this.#buffers.touch(document);
  }

  #passageRange(document: number): readonly [number, number] {
    const passage = bestPassageOf(this.#context, document);
    const { passageRange } = this.#index;
    return [passageRange.at(passage * 2), passageRange.at(passage * 2 + 1)];
  }

  #explain(ranking: RankingInput, document: number): MatchExplanation {
    const { semantic, keyword } = this.#buffers;
    const features = new Float64Array(featureNames.length);
    computeFeatureContributions(this.#context, document, features);
    const boosts = boostsOf(this.#context, document);
    const entries = featureNames.map((name, i) => [name, features[i] as number]);
    return {
      semanticRank: rankAmong(semantic, ranking.documents, document),
      semanticScore: positiveOrNull(semantic[document] as number),
      keywordRank: rankAmong(keyword, ranking.documents, document),
      keywordScore: positiveOrNull(keyword[document] as number),
      matchedTerms: matchedTerms(this.#index, this.#matches, document),
      features: Object.fromEntries(entries) as Record<FeatureName, number>,
      priorityBoost: boosts.priority,
      salienceBoost: boosts.salience,
    };
  }
}

const positiveOrNull = (value: number): number | null => (value > 0 ? value : null);

/** The rank by this value alone, from 1; null without the value. */
function rankAmong(
  values: Float32Array | Float64Array,
  among: Int32Array,
  document: number,
): number | null {
  const value = values[document] as number;
  if (value <= 0) return null;
  let index = 1;
  for (const other of among) if ((values[other] as number) > value) index += 1;
  return index;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i] as number;
  return sum;
}

function maxValue(values: Float64Array, indices: Int32Array): number {
  let max = 0;
  for (const index of indices) max = Math.max(max, values[index] as number);
  return max;
}

/** The one speaker of the scope that is named; −1 for none, or for several. */
function namedSpeaker(index: AccountIndex, scope: SearchScope, names: readonly string[]): number {
  const matching = new Set<number>();
  for (const name of names) {
    for (const speaker of index.speakers.withFirstName(name)) {
      if (scope.spaces.some(({ speakers }) => speakers.has(speaker))) matching.add(speaker);
    }
  }
  const [only = -1] = matching;
  return matching.size === 1 ? only : -1;
}
