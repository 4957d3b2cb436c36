import type { AccountIndex } from '../account/account-index.ts';
import type { Scope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import { computeCosines, isNarrowScope } from './cosine.ts';
import {
  bestPassageOf,
  boostsOf,
  computeContributions,
  computeFullMatch,
  type FeatureName,
  featureNames,
  type QueryContext,
} from './features.ts';
import { createFilter, documentsWithAll } from './filter.ts';
import { fuzzyTerms } from './fuzzy-terms.ts';
import { type Group, type GroupBy, GroupCollector, groupKeysOf } from './groups.ts';
import { KeywordMatcher, type KeywordMatches } from './keyword-matcher.ts';
import { headLength, makeNonIncreasing, type Ranking, topDocuments } from './order.ts';
import type { IndexQuery } from './query.ts';
import { matchedTerms, Scorer } from './score.ts';

/** Below this cosine two texts have nothing to do with each other. */
const cosineMin = 0.25;
/** More distinct terms than a question has; a long text pasted as one is cut. */
const termsMax = 160;
/** So many unknown terms are taken for misspelt: each costs about a millisecond. */
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
  /** 0..1, comparable between queries, never rising down the list. */
  readonly score: number;
  /** Where the passage that matches best stands in the text, in characters. */
  readonly passage: readonly [start: number, end: number];
  readonly explanation: MatchExplanation | null;
}

export interface HitPage {
  readonly total: number;
  readonly hits: readonly Hit[];
}

export interface PageRequest {
  readonly offset: number;
  /** A later page, though it may begin with the first of its kind. */
  readonly isContinuation?: boolean;
  readonly limit: number;
  readonly explain: boolean;
}

/** One search over one account: everything that matches is ranked, then pages are shown. */
export class Search {
  readonly #index: AccountIndex;
  readonly #buffers: SearchBuffers;
  readonly #scope: Scope;
  readonly #matches: KeywordMatches;
  readonly #context: QueryContext;
  readonly #scorer: Scorer;

  /** Uses the scratch until `end` is called. */
  constructor(index: AccountIndex, scratch: SearchBuffers, query: IndexQuery) {
    this.#index = index;
    this.#buffers = scratch;
    this.#scope = index.scope(query.spaces);
    const { length } = index.columns;
    scratch.ensureCapacity(length, index.passageDocument.length, index.sessions.all.length);
    computeCosines(index, this.#scope, query.vector, scratch.semantic);
    const terms = [...new Set(query.terms)].slice(0, termsMax);
    let lookups = 0;
    this.#matches = new KeywordMatcher(index, this.#scope, scratch).match(terms, (term) => {
      lookups += 1;
      if (lookups > fuzzyLookupsMax) return [];
      return fuzzyTerms(index.terms, term, query.text, (other) => this.#documentFrequency(other));
    });
    this.#addSimilarDocuments(query.vector !== null);
    for (const id of query.phraseMatches ?? []) {
      const document = index.findNumber(id);
      if (document !== undefined) scratch.touch(document);
    }
    const speaker = namedSpeaker(index, this.#scope, query.intent.names);
    this.#context = {
      index,
      buffers: scratch,
      query,
      speaker,
      isAboutSelf: query.intent.isAboutSelf && speaker < 0,
      fullMatch: computeFullMatch(index, scratch, this.#matches.idfSum),
      bestSession: maxValue(scratch.sessionScore, scratch.sessions.view()),
    };
    this.#scorer = new Scorer(this.#context, this.#matches);
  }

  /** Everything that passes the filters and the threshold. */
  rank(): Ranking {
    const { query } = this.#context;
    const passes = createFilter(this.#index, this.#scope, query);
    const { ownIdfSum } = this.#buffers;
    // A phrase may be of stop words alone: its holders match by it.
    const byWords = query.keywordOnly === true && query.phraseMatches === null;
    const documents = this.#buffers.documents
      .view()
      .filter((one) => passes(one) && (!byWords || (ownIdfSum[one] as number) > 0));
    const kept =
      query.threshold > 0
        ? documents.filter((document) => this.#scorer.score(document) >= query.threshold)
        : documents;
    const orders = new Float64Array(kept.length);
    const features = new Float64Array(featureNames.length);
    for (let i = 0; i < kept.length; i += 1) {
      computeContributions(this.#context, kept[i] as number, features);
      const boosts = boostsOf(this.#context, kept[i] as number);
      orders[i] = sumOf(features) * boosts.priority * boosts.salience;
    }
    return { documents: kept, sortValues: orders };
  }

  /** Shows one page of a ranking, which may be of an earlier moment of the same query. */
  page(ranking: Ranking, { offset, limit, explain }: PageRequest): HitPage {
    const until = Math.max(headLength, offset + limit);
    const first = topDocuments(this.#index, ranking, until);
    const scores = makeNonIncreasing([...first].map((document) => this.#scoreOf(document)));
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

  /** The whole of a ranking that was just made, best first. */
  allHits(ranking: Ranking): { ids: string[]; scores: Float64Array } {
    const { documents, scores } = this.#sorted(ranking);
    return {
      ids: [...documents].map((document) => this.#index.ids[document] as string),
      scores: Float64Array.from(scores),
    };
  }

  /** The whole of a ranking that was just made, counted by what the documents have. */
  groups(ranking: Ranking, by: GroupBy, most: number): Group<string>[] {
    const { documents, scores } = this.#sorted(ranking);
    const groups = new GroupCollector<number>();
    const keys = groupKeysOf(this.#index, by);
    for (const [place, document] of documents.entries()) {
      for (const key of keys(document)) groups.add(key, document, scores[place] as number);
    }
    return groups.largest(most).map(({ top, ...group }) => ({
      ...group,
      top: top.map(({ id, score }) => ({ id: this.#index.ids[id] as string, score })),
    }));
  }

  /** Gives the scratch back. */
  release(): void {
    this.#buffers.clear();
  }

  #sorted(ranking: Ranking): { documents: Int32Array; scores: readonly number[] } {
    const documents = topDocuments(this.#index, ranking, ranking.documents.length);
    const scores = makeNonIncreasing([...documents].map((document) => this.#scoreOf(document)));
    return { documents, scores };
  }

  #scoreOf(document: number): number {
    const latest = this.#index.latestNumber(document);
    return latest < 0 ? 0 : this.#scorer.score(latest);
  }

  #documentFrequency(term: string): number {
    const held = this.#index.terms.documentFrequency(term);
    if (held === 0 || this.#scope.isWholeAccount) return held;
    return documentsWithAll(this.#index, this.#scope, [term]).size;
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

  #explain(ranking: Ranking, document: number): MatchExplanation {
    const { semantic, keyword } = this.#buffers;
    const features = new Float64Array(featureNames.length);
    computeContributions(this.#context, document, features);
    const boosts = boostsOf(this.#context, document);
    const named = featureNames.map((name, i) => [name, features[i] as number]);
    return {
      semanticRank: rankAmong(semantic, ranking.documents, document),
      semanticScore: positiveOrNull(semantic[document] as number),
      keywordRank: rankAmong(keyword, ranking.documents, document),
      keywordScore: positiveOrNull(keyword[document] as number),
      matchedTerms: matchedTerms(this.#index, this.#matches, document),
      features: Object.fromEntries(named) as Record<FeatureName, number>,
      priorityBoost: boosts.priority,
      salienceBoost: boosts.salience,
    };
  }
}

const positiveOrNull = (value: number): number | null => (value > 0 ? value : null);

/** The place in a list by one value alone, from 1; null without that value. */
function rankAmong(
  values: Float32Array | Float64Array,
  among: Int32Array,
  document: number,
): number | null {
  const own = values[document] as number;
  if (own <= 0) return null;
  let place = 1;
  for (const other of among) if ((values[other] as number) > own) place += 1;
  return place;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i] as number;
  return sum;
}

function maxValue(values: Float64Array, places: Int32Array): number {
  let most = 0;
  for (const place of places) most = Math.max(most, values[place] as number);
  return most;
}

/** The one speaker of the scope that is named; −1 for none, or for several. */
function namedSpeaker(index: AccountIndex, scope: Scope, names: readonly string[]): number {
  const found = new Set<number>();
  for (const name of names) {
    for (const speaker of index.speakers.withFirstName(name)) {
      if (scope.spaces.some(({ speakers }) => speakers.has(speaker))) found.add(speaker);
    }
  }
  const [only = -1] = found;
  return found.size === 1 ? only : -1;
}
