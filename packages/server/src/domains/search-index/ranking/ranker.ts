import { type EvaluatedDocuments, evaluateTop } from './evaluate-top.ts';
import type { QueryContext } from './features.ts';
import type { DocumentPredicate } from './filter.ts';
import { followSuccessors } from './follow-successors.ts';
import { newerFirst, nthLargest, type RankingInput, topPositions } from './order.ts';
import { lowerOutdated, outdatedHeadLength } from './outdated.ts';
import { forEachVisible } from './query-context.ts';
import { type Confidence, logOddsOf, type Scorer, toLogOdds } from './score.ts';
import {
  presentSuccession,
  type Succession,
  type SuccessorFinder,
  successionAsOf,
} from './successors.ts';

/** Log-odds between the last match and the first document that is no match, at least. */
const fillerDistance = 0.01;
/** Least number of others that are evaluated: the second one counts for the confidence. */
const othersMin = 2;
/** What successors move out of the first places is replaced by the next ones. */
const placesFactor = 4;

type Sorted = Pick<RankingInput, 'documents' | 'sortValues'>;

export interface RankerOptions {
  readonly context: QueryContext;
  readonly passes: DocumentPredicate;
  readonly scorer: Scorer;
  readonly successors: SuccessorFinder;
}

/**
 * Ranks the documents that match a query. Where only the first places are needed, it evaluates the
 * documents that can reach them; the order of those is that of a full evaluation.
 */
export class Ranker {
  readonly #context: QueryContext;
  readonly #passes: DocumentPredicate;
  readonly #scorer: Scorer;
  readonly #successors: SuccessorFinder;
  readonly #succession: Succession;
  /** Only documents that have a word of the query match. */
  readonly #byWords: boolean;
  /** The moment of which the query asks what held then; null: the present. */
  readonly #moment: number | null;

  constructor({ context, passes, scorer, successors }: RankerOptions) {
    const { index, query } = context;
    this.#context = context;
    this.#passes = passes;
    this.#scorer = scorer;
    this.#successors = successors;
    // A phrase may consist of stop words only: the documents that contain it match by it.
    this.#byWords = query.keywordOnly === true && query.phraseMatches === null;
    this.#moment = query.asOf ?? query.intent.pastPeriodEnd;
    // What is no candidate cannot be a result.
    const evidence = (one: number): number =>
      context.candidates && !context.buffers.isCandidate(one)
        ? Number.NEGATIVE_INFINITY
        : scorer.evidence(one);
    this.#succession =
      this.#moment === null
        ? presentSuccession(successors, query, evidence)
        : successionAsOf(index, query, this.#moment, evidence);
  }

  isMatch(document: number): boolean {
    const { ownIdfSum } = this.#context.buffers;
    return this.#passes(document) && (!this.#byWords || (ownIdfSum[document] as number) > 0);
  }

  /**
   * Ranks all documents that match, pass the filters and reach the threshold.
   * @param places that need an exact order
   */
  rank(places = Number.POSITIVE_INFINITY): RankingInput {
    const matches = this.#matches();
    // Some of the first may be lowered, or be replaced by what supersedes them.
    let count = places + outdatedHeadLength;
    // What a document is at another moment can depend on documents that lead nowhere now.
    if (this.#moment !== null) count = matches.length;
    const required = count < matches.length ? this.#linked(matches) : new Set<number>();
    if (required.size > 0) count += places;
    for (;;) {
      const evaluated = evaluateTop(this.#scorer, matches, count, required);
      const outdated = lowerOutdated(this.#context, evaluated);
      const followed = this.#followSuccessors(evaluated);
      if (!hasPlaces(followed, evaluated, places)) {
        count *= placesFactor;
        continue;
      }
      const ranking = this.#withConfidence(followed, evaluated, places);
      return { ...ranking, outdated, shifts: followed.shifts };
    }
  }

  /** In the order of their numbers: that of their columns in memory. */
  #matches(): Int32Array {
    const touched = this.#context.buffers.touchedInOrder();
    let count = 0;
    for (const document of touched) {
      if (!this.isMatch(document)) continue;
      touched[count] = document;
      count += 1;
    }
    return touched.subarray(0, count);
  }

  /**
   * Gives so many places of a ranking that was made earlier an exact order. Those that it had
   * before stay, also if documents have changed since.
   */
  extend(ranking: RankingInput, places = Number.POSITIVE_INFINITY): RankingInput {
    if (ranking.rest.length === 0 || places <= ranking.places) return ranking;
    const { index } = this.#context;
    const { confidence } = ranking;
    const first = topPositions(index, ranking, ranking.places);
    const last = ranking.sortValues[first.at(-1) as number] as number;
    const added = Float64Array.from(ranking.rest, (document) => {
      const current = index.latestNumber(document);
      const evidence = this.#scorer.evidence(current < 0 ? document : current);
      const value = confidence ? logOddsOf(confidence, document, evidence) : evidence;
      return value < last ? value : last - fillerDistance;
    });
    return {
      ...ranking,
      documents: concatenate(Int32Array, ranking.documents, ranking.rest),
      sortValues: concatenate(Float64Array, ranking.sortValues, added),
      rest: new Int32Array(0),
      places: Number.POSITIVE_INFINITY,
    };
  }

  /**
   * Ranks the documents with a vector that are no matches, at most as high as the last match; null
   * if they do not fill the page of such a search.
   * @param places that need an exact order
   */
  rankOthers(ranking: RankingInput, places = Number.POSITIVE_INFINITY): RankingInput | null {
    const { query } = this.#context;
    const canFill = query.vector !== null && query.threshold === 0 && query.keywordOnly !== true;
    if (!canFill) return null;
    const count = Math.max(othersMin, places);
    const evaluated = evaluateTop(this.#scorer, this.#othersThan(ranking), count);
    const { documents, sortValues: evidence } = evaluated;
    const confidence = ranking.confidence ?? this.#confidenceIn(evaluated);
    if (!confidence) return null;
    const sortValues = toLogOddsOf(confidence, evaluated);
    const best = sortValues.reduce((most, value) => Math.max(most, value), -Infinity);
    const last = ranking.sortValues.reduce((least, value) => Math.min(least, value), Infinity);
    const lowering = best < last ? 0 : best - last + fillerDistance;
    return {
      documents,
      sortValues: sortValues.map((value) => value - lowering),
      rest: evaluated.rest,
      places: evidence.length,
      outdated: new Set(),
      shifts: new Map(),
      confidence,
      lowering,
    };
  }

  /** Documents with a vector that pass the filters and are not in the ranking. */
  #othersThan(ranking: RankingInput): Int32Array {
    const { index, query, scope, candidates } = this.#context;
    const matching = new Set([...ranking.documents, ...ranking.rest]);
    const others: number[] = [];
    const add = (document: number): void => {
      const hasVector = (index.columns.inverseNorm[document] as number) > 0;
      if (!hasVector || matching.has(document) || !this.#passes(document)) return;
      const isDropped = query.dropsSuperseded === true && this.#succession.isSuperseded(document);
      if (!isDropped) others.push(document);
    };
    if (candidates) for (const document of candidates.documents) add(document);
    else forEachVisible(index, scope, add);
    return Int32Array.from(others);
  }

  /** A question about the past that names no time keeps what held then in its place. */
  get #keepsPlaces(): boolean {
    const { intent, dropsSuperseded = false } = this.#context.query;
    return intent.isAboutPast && this.#moment === null && !dropsSuperseded;
  }

  /** Matches that others may hold instead of, and those others. */
  #linked(matches: Int32Array): ReadonlySet<number> {
    const linked = new Set<number>();
    if (this.#keepsPlaces) return linked;
    for (const document of matches) {
      if (!this.#successors.mayBeOutdated(document)) continue;
      linked.add(document);
      for (const leader of this.#succession.leaders(document)) linked.add(leader);
    }
    return linked;
  }

  #followSuccessors(matches: Sorted): Sorted & Pick<RankingInput, 'shifts'> {
    const { index, scope, query } = this.#context;
    const isLed = (one: number): boolean =>
      (this.#moment !== null || this.#successors.mayBeOutdated(one)) &&
      this.#succession.leaders(one).length > 0;
    if (this.#keepsPlaces || !matches.documents.some(isLed)) {
      const { documents, sortValues } = matches;
      return { documents, sortValues, shifts: new Map() };
    }
    return followSuccessors(matches, {
      succession: this.#succession,
      passes: (one) => scope.visible[index.columns.space[one] as number] === 1 && this.#passes(one),
      evidence: (one) => this.#scorer.evidence(one),
      dropsSuperseded: query.dropsSuperseded ?? false,
      compare: newerFirst(index),
    });
  }

  /** The log-odds of the evaluated documents, of which those below the threshold are left out. */
  #withConfidence(
    followed: Sorted,
    { rest, limits }: EvaluatedDocuments,
    places: number,
  ): Omit<RankingInput, 'outdated' | 'shifts'> {
    const { threshold } = this.#context.query;
    const confidence = this.#confidenceIn(followed);
    const all = { confidence, lowering: 0 };
    if (threshold === 0) {
      const { documents } = followed;
      const end = rest.length > 0 ? places : Number.POSITIVE_INFINITY;
      const sortValues = toLogOddsOf(confidence, followed);
      return { documents, sortValues, rest, places: end, ...all };
    }
    const least = toLogOdds(threshold);
    const reaches = (document: number, evidence: number): boolean =>
      (confidence ? logOddsOf(confidence, document, evidence) : evidence) >= least;
    const further = rest.filter((document, i) => reaches(document, limits[i] as number));
    const added = Float64Array.from(further, (document) => this.#scorer.evidence(document));
    const documents = concatenate(Int32Array, followed.documents, further);
    const evidence = concatenate(Float64Array, followed.sortValues, added);
    const sortValues = toLogOddsOf(confidence, { documents, sortValues: evidence });
    const isReaching = (_: number, i: number): boolean => (sortValues[i] as number) >= least;
    return {
      documents: documents.filter(isReaching),
      sortValues: sortValues.filter(isReaching),
      rest: new Int32Array(0),
      places: Number.POSITIVE_INFINITY,
      ...all,
    };
  }

  #confidenceIn(ranking: Sorted): Confidence | null {
    const [first, second] = topPositions(this.#context.index, ranking, 2);
    if (first === undefined) return null;
    const evidence = ranking.sortValues[first] as number;
    const next = second === undefined ? undefined : (ranking.sortValues[second] as number);
    return this.#scorer.confidence(ranking.documents[first] as number, evidence, next);
  }
}

/** Whether nothing that is not evaluated can be in one of the first places. */
const hasPlaces = (
  { sortValues }: Sorted,
  { rest, least }: EvaluatedDocuments,
  places: number,
): boolean =>
  rest.length === 0 || (sortValues.length >= places && nthLargest(sortValues, places) >= least);

const toLogOddsOf = (
  confidence: Confidence | null,
  { documents, sortValues }: Sorted,
): Float64Array =>
  sortValues.map((value, i) =>
    confidence ? logOddsOf(confidence, documents[i] as number, value) : value,
  );

function concatenate<T extends Int32Array | Float64Array>(
  Values: new (length: number) => T,
  first: T,
  second: T,
): T {
  const all = new Values(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
