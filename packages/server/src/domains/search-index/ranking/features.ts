import { dayMs } from '@mneme/text';
import type { AccountIndex } from '../account/account-index.ts';
import {
  pinnedFlag,
  questionAtEndFlag,
  questionFlag,
  turnFlag,
  userFlag,
} from '../account/columns.ts';
import { turnKernelRadius, turnKernelWeight, turnWindowSize } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import type { Candidates } from './candidates.ts';
import type { KeywordMatches } from './keyword-matcher.ts';
import type { KeywordScores } from './keyword-scores.ts';
import { passageIdfSum } from './matched-terms.ts';
import type { PassageCosines } from './passage-cosines.ts';
import type { IndexQuery, TimeRange } from './query.ts';
import {
  type FeatureName,
  featureNames,
  type Ranker,
  type RankerWeights,
  rankers,
  salienceBoostMax,
} from './weights.ts';

/** The index of each feature in the list. */
const at = Object.fromEntries(featureNames.map((name, i) => [name, i])) as Readonly<
  Record<FeatureName, number>
>;

/** Time proximity: decays by a factor of e per this many days, 0 from `timeDaysMax` on. */
const timeDays = 7;
const yearDays = 90;
const timeDaysMax = 28;
/** All boosts together are at most 15 %. */
const priorityBoostMax = 0.09;
const salienceHalfLifeDays = 30;
/** A priority decides between texts that differ in one word, also where both match little. */
export const prioritySumMin = 6;

/** Values shared by all features of one query. */
export interface QueryContext {
  readonly index: AccountIndex;
  readonly buffers: SearchBuffers;
  readonly scope: SearchScope;
  readonly query: IndexQuery;
  /** What a selective filter leaves: the others have no features; null: all have. */
  readonly candidates: Candidates | null;
  readonly matches: KeywordMatches;
  readonly keywords: KeywordScores;
  /** Null without vectors of passages. */
  readonly passages: PassageCosines | null;
  /** The weights for documents with a vector, if the query has one. */
  readonly ranker: Ranker;
  /** Number of the one speaker that the query names, −1 without one. */
  readonly speaker: number;
  readonly isAboutSelf: boolean;
  /** Numbers of the documents that contain a phrase which the query prefers or requires. */
  readonly withPhrase: ReadonlySet<number>;
  /** By document: how it supports the fact that the query asks for. */
  readonly factSupport: ReadonlyMap<number, number>;
}

/**
 * Fills `out` with the value of each feature, in the order of `featureNames`. Each is absolute: it
 * depends on the document and the query, not on other results.
 */
export function computeFeatures(
  context: QueryContext,
  document: number,
  out: Float64Array,
): Float64Array {
  const { index, buffers, query } = context;
  const { columns } = index;
  const flags = columns.flags[document] as number;
  const words = columns.words[document] as number;
  const similarity = Math.max(0, buffers.semantic[document] as number);
  out.fill(0);
  out[at.keyword] = context.keywords.of(document) / 10;
  const overlap = overlapOf(context, document);
  const restated = restatement(context, document, similarity, overlap);
  out[at.restated] = restated;
  out[at.lookup] = query.intent.isLookup ? overlap.coverage ** 2 * (1 - restated) : 0;
  if (context.withPhrase.size > 0) out[at.phrase] = context.withPhrase.has(document) ? 1 : 0;
  if (context.factSupport.size > 0) out[at.fact] = context.factSupport.get(document) ?? 0;
  const { times, asksWhen } = query.intent;
  if (times.length > 0) {
    out[at.time] = timeProximity(times, columns.occurredAt[document] as number);
    out[at.time_said] = index.dates.overlap(document, times) ? 1 : 0;
  }
  out[at.semantic_passage] = passageLead(context, document);
  const lends = columns.contextWeight[document] as number;
  if (asksWhen && statesTime(context, document)) out[at.states_time] = lends;
  if (!isTurn(index, document)) {
    out[at.whole_text] = (buffers.wholeKeyword[document] as number) / 10;
    out[at.semantic] = similarity;
    out[at.length] = Math.log(3 + words);
    return out;
  }
  const session = columns.session[document] as number;
  out[at.semantic] = Math.sqrt(lends) * similarity;
  out[at.semantic_context] = contextSimilarity(context, document);
  out[at.session] = session >= 0 ? (buffers.sessionScore[session] as number) / 10 : 0;
  const isNamed = context.speaker >= 0 && columns.speaker[document] === context.speaker;
  out[at.speaker] = isNamed ? 1 : 0;
  out[at.of_speaker] = isNamed ? (columns.firstPersonBalance[document] as number) : 0;
  out[at.oneself] = context.isAboutSelf && (flags & userFlag) !== 0 ? 1 : 0;
  out[at.question] = (flags & questionFlag) !== 0 ? lends : 0;
  return out;
}

/** The weights for a document: by its kind, and by what its similarity was computed with. */
export function weightsFor(context: QueryContext, document: number): RankerWeights {
  const { index, query } = context;
  const hasCosine = query.vector !== null && (index.columns.inverseNorm[document] as number) > 0;
  const ranker = hasCosine ? context.ranker : rankers.keyword;
  return isTurn(index, document) ? ranker.turn : ranker.text;
}

/** A turn of a conversation has neighbours and a speaker; any other text stands alone. */
export const isTurn = ({ columns }: AccountIndex, document: number): boolean =>
  ((columns.flags[document] as number) & turnFlag) !== 0;

/** Below this share of the whole text no passage can matter. */
const passageCoverageMin = 0.5;
/** At this sum of shared idf the similarity of the rest is estimated as one half. */
const idfSumHalf = 8;

/** How much of the query's words a document, or one passage of a long one, has. */
export interface Overlap {
  /** Share of the query's idf that it contains, 0..1. */
  readonly coverage: number;
  /**
   * What the cosine of both may be, guessed from words: c² times own / (own + 8) or, of a text that
   * has hardly any other words, the ratio of both lengths.
   */
  readonly estimate: number;
}

export function overlapOf(context: QueryContext, document: number): Overlap {
  const { index, buffers, matches, query } = context;
  if (matches.idfSum === 0) return { coverage: 0, estimate: 0 };
  let own = buffers.ownIdfSum[document] as number;
  const isLong = (index.columns.passageCount[document] as number) > 1;
  if (isLong && own >= passageCoverageMin * matches.idfSum) {
    own = passageIdfSum(index, matches, bestPassageOf(context, document));
  }
  const coverage = Math.min(1, own / matches.idfSum);
  const words = index.columns.words[document] as number;
  const lengthRatio = Math.min(query.terms.length, words) / Math.max(query.terms.length, words);
  return {
    coverage,
    estimate: coverage ** 2 * Math.max(own / (own + idfSumHalf), lengthRatio),
  };
}

/** Below this product of coverage and cosine a text says something else in the same words. */
const restatementMin = 0.5;

/**
 * How far a text restates the query, 0..1: the square of how far c · s exceeds its minimum, with c
 * the coverage and s the cosine. The estimate replaces a cosine that is missing, or that is of a
 * long text while a passage of it has the words.
 */
function restatement(
  { index, query, matches, passages }: QueryContext,
  document: number,
  similarity: number,
  { coverage, estimate }: Overlap,
): number {
  const { inverseNorm, passageCount } = index.columns;
  const hasCosine = query.vector !== null && (inverseNorm[document] as number) > 0;
  const isLong = (passageCount[document] as number) > 1;
  const ofPassage = passages?.best.get(document) ?? 0;
  const likeness = hasCosine && !isLong ? similarity : Math.max(similarity, ofPassage, estimate);
  // A query of stop words has no words to cover: only a text like it restates it.
  const product = matches.idfSum === 0 ? similarity ** 3 : coverage * likeness;
  return restatedShare(product);
}

/** @param product of the coverage and the cosine */
export const restatedShare = (product: number): number =>
  (Math.max(0, product - restatementMin) / (1 - restatementMin)) ** 2;

/** By how much the best passage of a long text is nearer to the query than the whole. */
function passageLead({ buffers, passages }: QueryContext, document: number): number {
  if (passages === null) return 0;
  const best = passages.best.get(document) ?? 0;
  return Math.max(0, best - Math.max(0, buffers.semantic[document] as number));
}

/** Similarity of the neighbouring turns, weighted as their words are. */
function contextSimilarity({ index, buffers }: QueryContext, document: number): number {
  const { columns, sessions } = index;
  if ((columns.session[document] as number) < 0) return 0;
  const { flags, contextWeight } = columns;
  const { window } = buffers;
  const borrowerAsks = ((flags[document] as number) & questionAtEndFlag) !== 0;
  let sum = 0;
  sessions.fillWindow(document, window);
  for (let i = 0; i < turnWindowSize; i += 1) {
    const lender = window[i] as number;
    if (lender < 0 || lender === document) continue;
    const step = i - turnKernelRadius;
    const lenderAsks = step === -1 && ((flags[lender] as number) & questionAtEndFlag) !== 0;
    const similarity = Math.max(0, buffers.semantic[lender] as number);
    sum +=
      turnKernelWeight(step, borrowerAsks, lenderAsks) *
      (contextWeight[lender] as number) *
      similarity;
  }
  return sum * (columns.neighbourWeight[document] as number);
}

/** 1 inside the requested time range; decreases with the distance in days. */
export function timeProximity(times: readonly TimeRange[], at: number): number {
  let nearest = 0;
  for (const { from, to, isYear } of times) {
    const days = Math.max(0, from - at, at - to) / dayMs;
    if (days >= timeDaysMax) continue;
    nearest = Math.max(nearest, Math.exp(-days / (isYear ? yearDays : timeDays)));
  }
  return nearest;
}

/** The passage that answers best: by its words, and by its meaning if it has a vector. */
export function bestPassageOf(context: QueryContext, document: number): number {
  const { index, keywords, matches, passages } = context;
  if (passages?.best.has(document)) {
    return passages.bestPassage(document, keywords.passageGains(document), matches.terms);
  }
  const best = keywords.bestPassage(document);
  return best >= 0 ? best : (index.columns.firstPassage[document] as number);
}

const statesTime = (on: QueryContext, document: number): boolean =>
  on.index.passageStatesTime.at(bestPassageOf(on, document)) === 1;

/** Factors of at least 1, at most 1.15 together. */
export function boostsOf(
  { index, query }: QueryContext,
  document: number,
): { priority: number; salience: number } {
  const { columns } = index;
  const salience = columns.salience[document] as number;
  const isPinned = ((columns.flags[document] as number) & pinnedFlag) !== 0;
  const days = Math.max(0, query.now - (columns.salienceAt[document] as number)) / dayMs;
  const remaining = isPinned ? 1 : 0.5 ** (days / salienceHalfLifeDays);
  return {
    priority: 1 + (priorityBoostMax * (columns.priority[document] as number)) / 10,
    salience: 1 + (Number.isNaN(salience) ? 0 : salienceBoostMax * salience * remaining),
  };
}

/** An upper limit of what the boosts add to a weighted sum, without the decay of salience. */
export function boostLimit({ columns }: AccountIndex, document: number, sum: number): number {
  const salience = columns.salience[document] as number;
  const priority = (priorityBoostMax * (columns.priority[document] as number)) / 10;
  const most = Number.isNaN(salience) ? 0 : salienceBoostMax * salience * Math.max(0, sum);
  return priority * Math.max(sum, prioritySumMin) + most;
}
