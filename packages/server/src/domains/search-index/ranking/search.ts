import type { AccountIndex } from '../account/account-index.ts';
import type { SearchBuffers } from './buffers.ts';
import { bestPassageOf, boostsOf, type QueryContext } from './features.ts';
import { createDocumentFilter, type DocumentPredicate } from './filter.ts';
import { type GroupBy, GroupCollector, groupKeysOf, type ResultGroup } from './groups.ts';
import { matchedTerms } from './matched-terms.ts';
import { type RankingInput, topPositions } from './order.ts';
import { penaltyOf } from './outdated.ts';
import type { IndexQuery } from './query.ts';
import { createQueryContext } from './query-context.ts';
import { Ranker } from './ranker.ts';
import { type Contributions, confidenceTerms, Scorer, sumOf, toScore } from './score.ts';
import { SuccessorFinder } from './successors.ts';

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
  /** The newest at the ends of what supersedes it; null: nothing does. */
  readonly outdatedBy: string | null;
  /** The newest of those that supersede it themselves. */
  readonly supersededBy: string | null;
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
  readonly #passes: DocumentPredicate;
  readonly #context: QueryContext;
  readonly #scorer: Scorer;
  readonly #successors: SuccessorFinder;
  readonly #ranker: Ranker;
  /** Owners whose documents the caller may see; null: all. */
  readonly #visibleOwners: ReadonlySet<number> | null;

  /**
   * Uses the buffers until `release` is called.
   * @param evaluatesAll also what does not pass the filters, or did not when the ranking was made
   */
  constructor(
    index: AccountIndex,
    buffers: SearchBuffers,
    query: IndexQuery,
    evaluatesAll = false,
  ) {
    this.#index = index;
    this.#buffers = buffers;
    const scope = index.scope(query.spaces);
    const filter = createDocumentFilter(index, scope, query);
    const selective = evaluatesAll ? null : filter;
    this.#context = createQueryContext(index, buffers, query, scope, selective);
    this.#passes = this.#context.candidates
      ? (document) => buffers.isCandidate(document)
      : filter.passes;
    this.#scorer = new Scorer(this.#context);
    this.#successors = new SuccessorFinder(index, query);
    this.#visibleOwners = index.owners.matching({ user_id: query.visibleUser ?? undefined });
    this.#ranker = new Ranker({
      context: this.#context,
      passes: this.#passes,
      scorer: this.#scorer,
      successors: this.#successors,
    });
  }

  /**
   * Ranks all documents that match, pass the filters and reach the threshold.
   * @param places that need an exact order; omitted: all
   */
  rank(places?: number): RankingInput {
    return this.#ranker.rank(places);
  }

  /** A ranking, made earlier by the same query, in which so many places have an exact order. */
  extend(ranking: RankingInput, places?: number): RankingInput {
    return this.#ranker.extend(ranking, places);
  }

  /** Returns one page of a ranking, which may have been made earlier by the same query. */
  page(ranking: RankingInput, request: HitPageRequest): HitPage {
    const { offset, limit, explain, isContinuation, why } = request;
    const toHits = (from: RankingInput, positions: readonly number[]): Hit[] =>
      positions.flatMap((position) => {
        const document = this.#index.latestNumber(from.documents[position] as number);
        if (document < 0) return [];
        return [this.#toHit(from, document, from.sortValues[position] as number, explain)];
      });
    const total = ranking.documents.length + ranking.rest.length;
    const room = limit - total;
    const hasRoom = offset === 0 && isContinuation !== true && room > 0;
    const others =
      hasRoom || why !== undefined
        ? this.#ranker.rankOthers(ranking, why === undefined ? room : undefined)
        : null;
    const filler = hasRoom && others ? topPositions(this.#index, others, room) : [];
    return {
      total,
      hits: toHits(ranking, topPositions(this.#index, ranking, offset + limit).slice(offset)),
      filler: others ? toHits(others, filler) : [],
      ...(why !== undefined && { placement: this.#placementOf(ranking, others, why) }),
    };
  }

  /** The whole of a new ranking, best first. */
  allHits(ranking: RankingInput): { ids: string[]; scores: Float64Array } {
    const { documents, scores } = this.#sorted(ranking);
    return { ids: documents.map((document) => this.#index.ids.at(document)), scores };
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
      top: top.map(({ id, score }) => ({ id: this.#index.ids.at(id), score })),
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
      id: this.#index.ids.at(document),
      score: toScore(logOdds),
      passage: this.#passageRange(document),
      outdatedBy: this.#newest(this.#successors.outdatedBy(document)),
      supersededBy: this.#newest(this.#successors.direct(document)),
      explanation: explain ? this.#explain(ranking, document) : null,
    };
  }

  /** Ids are in the order of their creation. */
  #newest(documents: readonly number[]): string | null {
    const ids = documents.map((document) => this.#index.ids.at(document));
    return ids.toSorted().at(-1) ?? null;
  }

  #placementOf(ranking: RankingInput, others: RankingInput | null, id: string): Placement {
    const document = this.#index.findNumber(id);
    const space = document === undefined ? -1 : (this.#index.columns.space[document] as number);
    const owner = document === undefined ? -1 : (this.#index.columns.owner[document] as number);
    const isOfUser = this.#visibleOwners?.has(owner) !== false;
    if (document === undefined || !isOfUser || this.#context.scope.visible[space] !== 1) {
      const none = { score: null, rank: null, explanation: null, ahead: null };
      return { id, ...none, reason: 'not_found' };
    }
    const positions = topPositions(this.#index, ranking, ranking.documents.length);
    const rank = positions.findIndex((position) => ranking.documents[position] === document) + 1;
    const from = rank === 0 && others?.documents.includes(document) ? others : ranking;
    const position = from.documents.indexOf(document);
    return {
      id,
      score: toScore(
        position < 0
          ? sumOf(this.#contributions(from, document))
          : (from.sortValues[position] as number),
      ),
      rank: rank > 0 ? rank : null,
      reason: rank > 0 ? 'ranked' : this.#reasonWithoutRank(document),
      explanation: this.#explain(from, document),
      ahead: this.#comparisonWithFirst(ranking, positions, from, document),
    };
  }

  #comparisonWithFirst(
    ranking: RankingInput,
    [first]: readonly number[],
    from: RankingInput,
    document: number,
  ): Placement['ahead'] {
    if (first === undefined) return null;
    const ahead = this.#index.latestNumber(ranking.documents[first] as number);
    if (ahead < 0 || ahead === document) return null;
    const own = this.#contributions(from, document);
    const differences = Object.entries(this.#contributions(ranking, ahead)).map(
      ([name, value]): [string, number] => [name, value - (own[name] ?? 0)],
    );
    return {
      id: this.#index.ids.at(ahead),
      score: toScore(ranking.sortValues[first] as number),
      differences: Object.fromEntries(differences.filter(([, value]) => value !== 0)),
    };
  }

  /** What the log-odds of a document are the sum of. */
  #contributions(
    { outdated, shifts, confidence, lowering }: RankingInput,
    document: number,
  ): Contributions {
    const features = this.#scorer.contributions(document);
    const terms = {
      ...features,
      outdated: outdated.has(document) ? -penaltyOf(this.#context, document) : 0,
      successor: shifts.get(document) ?? 0,
    };
    const best = confidence ? confidenceTerms(confidence, document, sumOf(terms)) : {};
    return { ...terms, ...best, no_match: -lowering };
  }

  #reasonWithoutRank(document: number): Placement['reason'] {
    if (!this.#passes(document)) return 'filtered';
    return this.#buffers.isTouched[document] === 1 && this.#ranker.isMatch(document)
      ? 'below_threshold'
      : 'no_match';
  }

  #passageRange(document: number): readonly [number, number] {
    const passage = bestPassageOf(this.#context, document);
    const { passageRange } = this.#index;
    return [passageRange.at(passage * 2), passageRange.at(passage * 2 + 1)];
  }

  #explain(ranking: RankingInput, document: number): MatchExplanation {
    const { semantic } = this.#buffers;
    const similarityOf = (one: number): number => semantic[one] as number;
    const keywordOf = (one: number): number => this.#context.keywords.of(one);
    const boosts = boostsOf(this.#context, document);
    return {
      semanticRank: rankAmong(similarityOf, ranking, document),
      semanticScore: positiveOrNull(similarityOf(document)),
      keywordRank: rankAmong(keywordOf, ranking, document),
      keywordScore: positiveOrNull(keywordOf(document)),
      matchedTerms: matchedTerms(this.#index, this.#context.matches, document),
      features: this.#contributions(ranking, document),
      priorityBoost: boosts.priority,
      salienceBoost: boosts.salience,
    };
  }
}

const positiveOrNull = (value: number): number | null => (value > 0 ? value : null);

/** The rank by this value alone, from 1; null without the value. */
function rankAmong(
  scoreOf: (document: number) => number,
  { documents, rest }: RankingInput,
  document: number,
): number | null {
  const value = scoreOf(document);
  if (value <= 0) return null;
  let index = 1;
  for (const among of [documents, rest]) {
    for (const other of among) if (scoreOf(other) > value) index += 1;
  }
  return index;
}
