import type { AccountIndex } from '../account/account-index.ts';
import type { SearchBuffers } from './buffers.ts';
import { bestPassageOf, boostsOf, type QueryContext } from './features.ts';
import { createDocumentFilter, type DocumentPredicate } from './filter.ts';
import { followSuccessors } from './follow-successors.ts';
import { type GroupBy, GroupCollector, groupKeysOf, type ResultGroup } from './groups.ts';
import { matchedTerms } from './matched-terms.ts';
import { newerFirst, type RankingInput, topPositions } from './order.ts';
import { lowerOutdated, penaltyOf } from './outdated.ts';
import type { IndexQuery } from './query.ts';
import { createQueryContext, forEachVisible } from './query-context.ts';
import {
  type Confidence,
  type Contributions,
  confidenceTerms,
  logOddsOf,
  Scorer,
  sumOf,
  toLogOdds,
  toScore,
} from './score.ts';
import {
  presentSuccession,
  type Succession,
  SuccessorFinder,
  successionAsOf,
} from './successors.ts';

/** Log-odds between the last match and the first document that is no match, at least. */
const fillerDistance = 0.01;

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
  readonly #succession: Succession;
  /** Owners whose documents the caller may see; null: all. */
  readonly #visibleOwners: ReadonlySet<number> | null;

  /** Uses the buffers until `release` is called. */
  constructor(index: AccountIndex, buffers: SearchBuffers, query: IndexQuery) {
    this.#index = index;
    this.#buffers = buffers;
    this.#context = createQueryContext(index, buffers, query);
    this.#passes = createDocumentFilter(index, this.#context.scope, query);
    this.#scorer = new Scorer(this.#context);
    this.#successors = new SuccessorFinder(index, query);
    this.#visibleOwners = index.owners.matching({ user_id: query.visibleUser ?? undefined });
    const moment = query.asOf ?? query.intent.pastPeriodEnd;
    const evidence = (one: number): number => this.#scorer.evidence(one);
    this.#succession =
      moment === null
        ? presentSuccession(this.#successors, query, evidence)
        : successionAsOf(index, query, moment, evidence);
  }

  /** Ranks all documents that match, pass the filters and reach the threshold. */
  rank(): RankingInput {
    const { query } = this.#context;
    const matches = this.#buffers.documents.view().filter((one) => this.#isMatch(one));
    const matchEvidence = Float64Array.from(matches, (one) => this.#scorer.evidence(one));
    const outdated = lowerOutdated(this.#context, {
      documents: matches,
      sortValues: matchEvidence,
    });
    const followed = this.#followSuccessors({ documents: matches, sortValues: matchEvidence });
    const { documents, sortValues: evidence, shifts } = followed;
    const confidence = this.#confidenceIn({ documents, sortValues: evidence });
    const sortValues = evidence.map((value, i) =>
      confidence ? logOddsOf(confidence, documents[i] as number, value) : value,
    );
    const ranking = { documents, sortValues, outdated, shifts, confidence, lowering: 0 };
    if (query.threshold === 0) return ranking;
    const least = toLogOdds(query.threshold);
    const reaching = sortValues.map((value) => (value >= least ? 1 : 0));
    return {
      ...ranking,
      documents: documents.filter((_, i) => reaching[i] === 1),
      sortValues: sortValues.filter((_, i) => reaching[i] === 1),
    };
  }

  /** A question about the past that names no time keeps what held then in its place. */
  #followSuccessors(
    matches: Pick<RankingInput, 'documents' | 'sortValues'>,
  ): Pick<RankingInput, 'documents' | 'sortValues' | 'shifts'> {
    const { intent, asOf, dropsSuperseded = false } = this.#context.query;
    const namesTime = asOf !== undefined || intent.pastPeriodEnd !== null;
    const keepsPlaces = intent.isAboutPast && !namesTime && !dropsSuperseded;
    const isLed = (one: number): boolean => this.#succession.leaders(one).length > 0;
    if (keepsPlaces || !matches.documents.some(isLed)) return { ...matches, shifts: new Map() };
    return followSuccessors(matches, {
      succession: this.#succession,
      passes: (one) =>
        this.#context.scope.visible[this.#index.columns.space[one] as number] === 1 &&
        this.#passes(one),
      evidence: (one) => this.#scorer.evidence(one),
      dropsSuperseded,
      compare: newerFirst(this.#index),
    });
  }

  /**
   * Ranks the documents with a vector that are no matches, at most as high as the last match; null
   * if they do not fill the page of such a search.
   */
  #rankOthers(ranking: RankingInput): RankingInput | null {
    const { query, scope } = this.#context;
    const canFill = query.vector !== null && query.threshold === 0 && query.keywordOnly !== true;
    if (!canFill) return null;
    const matching = new Set(ranking.documents);
    const others: number[] = [];
    forEachVisible(this.#index, scope, (document) => {
      const hasVector = (this.#index.columns.inverseNorm[document] as number) > 0;
      if (!hasVector || matching.has(document) || !this.#passes(document)) return;
      const isDropped = query.dropsSuperseded === true && this.#succession.isSuperseded(document);
      if (!isDropped) others.push(document);
    });
    const documents = Int32Array.from(others);
    const evidence = Float64Array.from(others, (one) => this.#scorer.evidence(one));
    const confidence =
      ranking.confidence ?? this.#confidenceIn({ documents, sortValues: evidence });
    if (!confidence) return null;
    const sortValues = evidence.map((value, i) =>
      logOddsOf(confidence, documents[i] as number, value),
    );
    const best = sortValues.reduce((most, value) => Math.max(most, value), -Infinity);
    const last = ranking.sortValues.reduce((least, value) => Math.min(least, value), Infinity);
    const lowering = best < last ? 0 : best - last + fillerDistance;
    return {
      documents,
      sortValues: sortValues.map((value) => value - lowering),
      outdated: new Set(),
      shifts: new Map(),
      confidence,
      lowering,
    };
  }

  #confidenceIn(ranking: Pick<RankingInput, 'documents' | 'sortValues'>): Confidence | null {
    const [first, second] = topPositions(this.#index, ranking, 2);
    if (first === undefined) return null;
    const { documents, sortValues } = ranking;
    return this.#scorer.confidence(
      documents[first] as number,
      sortValues[first] as number,
      second === undefined ? undefined : sortValues[second],
    );
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
    const { offset, limit, explain, isContinuation, why } = request;
    const toHits = (from: RankingInput, positions: readonly number[]): Hit[] =>
      positions.flatMap((position) => {
        const document = this.#index.latestNumber(from.documents[position] as number);
        if (document < 0) return [];
        return [this.#toHit(from, document, from.sortValues[position] as number, explain)];
      });
    const room = limit - ranking.documents.length;
    const hasRoom = offset === 0 && isContinuation !== true && room > 0;
    const others = hasRoom || why !== undefined ? this.#rankOthers(ranking) : null;
    const filler = hasRoom && others ? topPositions(this.#index, others, room) : [];
    return {
      total: ranking.documents.length,
      hits: toHits(ranking, topPositions(this.#index, ranking, offset + limit).slice(offset)),
      filler: others ? toHits(others, filler) : [],
      ...(why !== undefined && { placement: this.#placementOf(ranking, others, why) }),
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
      outdatedBy: this.#newest(this.#successors.outdatedBy(document)),
      supersededBy: this.#newest(this.#successors.direct(document)),
      explanation: explain ? this.#explain(ranking, document) : null,
    };
  }

  /** Ids are in the order of their creation. */
  #newest(documents: readonly number[]): string | null {
    const ids = documents.map((document) => this.#index.ids[document] as string);
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
      id: this.#index.ids[ahead] as string,
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
    return this.#buffers.isTouched[document] === 1 && this.#isMatch(document)
      ? 'below_threshold'
      : 'no_match';
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
