import type { AccountIndex } from '../account/account-index.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import { computeCosines, isNarrowScope } from './cosine.ts';
import { bestPassageOf, boostsOf, type QueryContext } from './features.ts';
import { createDocumentFilter, type DocumentPredicate, documentsWithAllTerms } from './filter.ts';
import { fuzzyTerms } from './fuzzy-terms.ts';
import { type GroupBy, GroupCollector, groupKeysOf, type ResultGroup } from './groups.ts';
import { KeywordMatcher, type KeywordMatches } from './keyword-matcher.ts';
import { matchedTerms } from './matched-terms.ts';
import { type RankingInput, topPositions } from './order.ts';
import { lowerOutdated, outdatedPenalty } from './outdated.ts';
import type { IndexQuery } from './query.ts';
import { Scorer, toLogOdds, toScore } from './score.ts';

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
  /** What each feature adds to the log-odds of the score. */
  readonly features: Readonly<Record<string, number>>;
  readonly priorityBoost: number;
  readonly salienceBoost: number;
}

export interface Hit {
  readonly id: string;
  /** Probability that it answers the query, comparable between queries. */
  readonly score: number;
  /** Range of the best passage in the text, in characters. */
  readonly passage: readonly [start: number, end: number];
  readonly explanation: MatchExplanation | null;
}

/** Why a document is where it is. */
export interface Placement {
  readonly id: string;
  /** Null: not in the index of the searched spaces, or deleted. */
  readonly score: number | null;
  /** From 1 among the matches; null: it is none of them. */
  readonly rank: number | null;
  readonly reason: 'ranked' | 'below_threshold' | 'filtered' | 'no_match' | 'not_found';
  readonly explanation: MatchExplanation | null;
  /** The first match, and how much more each of its features contributes; null: no other. */
  readonly ahead: {
    readonly id: string;
    readonly score: number;
    readonly differences: Readonly<Record<string, number>>;
  } | null;
}

export interface HitPage {
  /** Number of matches. */
  readonly total: number;
  readonly hits: readonly Hit[];
  /** On a first page with fewer matches than `limit`: the nearest others, which are no matches. */
  readonly filler: readonly Hit[];
  /** For a request with `why`. */
  readonly placement?: Placement;
}

export interface HitPageRequest {
  readonly offset: number;
  /** A later page, although it may start with the first hit of its kind. */
  readonly isContinuation?: boolean;
  readonly limit: number;
  readonly explain: boolean;
  /** A document whose place is to be explained. */
  readonly why?: string | undefined;
}

/** One search over one account: ranks everything that matches, then returns pages. */
export class Search {
  readonly #index: AccountIndex;
  readonly #buffers: SearchBuffers;
  readonly #scope: SearchScope;
  readonly #matches: KeywordMatches;
  readonly #passes: DocumentPredicate;
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
    const alternativesTo = (term: string): readonly string[] => {
      lookups += 1;
      if (lookups > fuzzyLookupsMax) return [];
      return fuzzyTerms(index.terms, term, query.text, (other) => this.#documentFrequency(other));
    };
    const matcher = new KeywordMatcher(index, this.#scope, buffers);
    this.#matches = matcher.match(terms, alternativesTo, new Set(query.fragments));
    this.#addSimilarDocuments(query.vector !== null);
    for (const id of query.phraseMatches ?? []) {
      const document = index.findNumber(id);
      if (document !== undefined) buffers.touch(document);
    }
    const speaker = namedSpeaker(index, this.#scope, query.intent.names);
    const preferred = query.preferredMatches ?? [];
    this.#context = {
      index,
      buffers,
      query,
      matches: this.#matches,
      speaker,
      isAboutSelf: query.intent.isAboutSelf && speaker < 0,
      withPreferredPhrase: new Set(preferred.flatMap((id) => index.findNumber(id) ?? [])),
    };
    this.#passes = createDocumentFilter(index, this.#scope, query);
    this.#scorer = new Scorer(this.#context);
  }

  /** Ranks all documents that match, pass the filters and reach the threshold. */
  rank(): RankingInput {
    const { query } = this.#context;
    const documents = this.#buffers.documents.view().filter((one) => this.#isMatch(one));
    const ranking = {
      documents,
      sortValues: Float64Array.from(documents, (one) => this.#scorer.logOdds(one)),
    };
    const outdated = lowerOutdated(this.#context, ranking);
    if (query.threshold === 0) return { ...ranking, outdated };
    const least = toLogOdds(query.threshold);
    const reaching = ranking.sortValues.map((value) => (value >= least ? 1 : 0));
    return {
      documents: documents.filter((_, i) => reaching[i] === 1),
      sortValues: ranking.sortValues.filter((_, i) => reaching[i] === 1),
      outdated,
    };
  }

  #isMatch(document: number): boolean {
    const { query } = this.#context;
    // A phrase may consist of stop words only: the documents that contain it match by it.
    const byWords = query.keywordOnly === true && query.phraseMatches === null;
    const { ownIdfSum } = this.#buffers;
    return this.#passes(document) && (!byWords || (ownIdfSum[document] as number) > 0);
  }

  /** Returns one page of a ranking, which may have been made earlier by the same query. */
  page(ranking: RankingInput, request: HitPageRequest): HitPage {
    const { offset, limit, explain, why } = request;
    const hits: Hit[] = [];
    for (const position of topPositions(this.#index, ranking, offset + limit).slice(offset)) {
      const document = this.#index.latestNumber(ranking.documents[position] as number);
      if (document < 0) continue;
      const logOdds = ranking.sortValues[position] as number;
      hits.push(this.#toHit(ranking, document, logOdds, explain));
    }
    return {
      total: ranking.documents.length,
      hits,
      filler: this.#filler(ranking, request),
      ...(why !== undefined && { placement: this.#placementOf(ranking, why) }),
    };
  }

  /** The whole of a new ranking, best first. */
  allHits(ranking: RankingInput): { ids: string[]; scores: Float64Array } {
    const { documents, scores } = this.#sorted(ranking);
    return { ids: documents.map((document) => this.#index.ids[document] as string), scores };
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

  #sorted(ranking: RankingInput): { documents: number[]; scores: Float64Array } {
    const positions = topPositions(this.#index, ranking, ranking.documents.length);
    return {
      documents: positions.map((position) => ranking.documents[position] as number),
      scores: Float64Array.from(positions, (one) => toScore(ranking.sortValues[one] as number)),
    };
  }

  #toHit(ranking: RankingInput, document: number, logOdds: number, explain: boolean): Hit {
    return {
      id: this.#index.ids[document] as string,
      score: toScore(logOdds),
      passage: this.#passageRange(document),
      explanation: explain ? this.#explain(ranking, document) : null,
    };
  }

  /** The nearest documents that are no matches, if a first page has room for them. */
  #filler(
    ranking: RankingInput,
    { offset, limit, explain, isContinuation }: HitPageRequest,
  ): Hit[] {
    const { query } = this.#context;
    const room = limit - ranking.documents.length;
    const canFill = query.vector !== null && query.threshold === 0 && query.keywordOnly !== true;
    if (offset > 0 || isContinuation || room <= 0 || !canFill) return [];
    const matching = new Set(ranking.documents);
    const others: number[] = [];
    this.#forEachVisible((document) => {
      const hasVector = (this.#index.columns.inverseNorm[document] as number) > 0;
      if (hasVector && !matching.has(document) && this.#passes(document)) others.push(document);
    });
    const documents = Int32Array.from(others);
    const sortValues = Float64Array.from(others, (one) => this.#scorer.logOdds(one));
    return topPositions(this.#index, { documents, sortValues }, room).map((position) =>
      this.#toHit(ranking, documents[position] as number, sortValues[position] as number, explain),
    );
  }

  #placementOf(ranking: RankingInput, id: string): Placement {
    const document = this.#index.findNumber(id);
    const space = document === undefined ? -1 : (this.#index.columns.space[document] as number);
    if (document === undefined || this.#scope.visible[space] !== 1) {
      const none = { score: null, rank: null, explanation: null, ahead: null };
      return { id, ...none, reason: 'not_found' };
    }
    const positions = topPositions(this.#index, ranking, ranking.documents.length);
    const rank = positions.findIndex((position) => ranking.documents[position] === document) + 1;
    const lowered = ranking.outdated.has(document) ? outdatedPenalty : 0;
    return {
      id,
      score: toScore(this.#scorer.logOdds(document) - lowered),
      rank: rank > 0 ? rank : null,
      reason: rank > 0 ? 'ranked' : this.#reasonWithoutRank(document),
      explanation: this.#explain(ranking, document),
      ahead: this.#comparisonWithFirst(ranking, positions, document),
    };
  }

  #comparisonWithFirst(
    ranking: RankingInput,
    [first]: readonly number[],
    document: number,
  ): Placement['ahead'] {
    if (first === undefined) return null;
    const ahead = this.#index.latestNumber(ranking.documents[first] as number);
    if (ahead < 0 || ahead === document) return null;
    const own = this.#contributions(ranking, document);
    const differences = Object.entries(this.#contributions(ranking, ahead)).map(
      ([name, value]): [string, number] => [name, value - (own[name] ?? 0)],
    );
    return {
      id: this.#index.ids[ahead] as string,
      score: toScore(ranking.sortValues[first] as number),
      differences: Object.fromEntries(differences.filter(([, value]) => value !== 0)),
    };
  }

  /** What each feature adds, and `outdated`. */
  #contributions(ranking: RankingInput, document: number): Record<string, number> {
    const outdated = ranking.outdated.has(document) ? -outdatedPenalty : 0;
    return { ...this.#scorer.contributions(document), outdated };
  }

  #reasonWithoutRank(document: number): Placement['reason'] {
    if (!this.#passes(document)) return 'filtered';
    return this.#buffers.isTouched[document] === 1 && this.#isMatch(document)
      ? 'below_threshold'
      : 'no_match';
  }

  #documentFrequency(term: string): number {
    const cached = this.#index.terms.documentFrequency(term);
    if (cached === 0 || this.#scope.isWholeAccount) return cached;
    return documentsWithAllTerms(this.#index, this.#scope, [term]).size;
  }

  #addSimilarDocuments(hasVector: boolean): void {
    if (!hasVector) return;
    const { semantic } = this.#buffers;
    this.#forEachVisible((document) => {
      if ((semantic[document] as number) >= cosineMin) this.#buffers.touch(document);
    });
  }

  /** Calls a function with each live document of the scope. */
  #forEachVisible(visit: (document: number) => void): void {
    const { columns } = this.#index;
    const { visible } = this.#scope;
    if (isNarrowScope(this.#index, this.#scope)) {
      for (const { documents } of this.#scope.spaces) {
        for (const document of documents.view()) if (this.#index.isLive(document)) visit(document);
      }
      return;
    }
    for (let document = 0; document < columns.length; document += 1) {
      if (visible[columns.space[document] as number] !== 1) continue;
      if (this.#index.isLive(document)) visit(document);
    }
  }

  #passageRange(document: number): readonly [number, number] {
    const passage = bestPassageOf(this.#context, document);
    const { passageRange } = this.#index;
    return [passageRange.at(passage * 2), passageRange.at(passage * 2 + 1)];
  }

  #explain(ranking: RankingInput, document: number): MatchExplanation {
    const { semantic, keyword } = this.#buffers;
    const boosts = boostsOf(this.#context, document);
    return {
      semanticRank: rankAmong(semantic, ranking.documents, document),
      semanticScore: positiveOrNull(semantic[document] as number),
      keywordRank: rankAmong(keyword, ranking.documents, document),
      keywordScore: positiveOrNull(keyword[document] as number),
      matchedTerms: matchedTerms(this.#index, this.#matches, document),
      features: this.#contributions(ranking, document),
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
