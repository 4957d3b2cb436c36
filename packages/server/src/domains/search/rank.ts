import type { Candidate } from '../index/index.ts';

/**
 * Weights of the linear ranker and of the shown score, found by experiment on conversations,
 * agent chats and isolated documents; each feature is a function of what the memory is.
 */
const rankWeights = { keyword: 6.3, semantic: 3.3, length: 0.72 } as const;
const keywordPower = 0.85;
const lendingWords = 20;
const shownWeights = { bias: -3.77, keyword: 2.66, semantic: 2.39, covered: 2.52, both: 0.48 };
const keywordShareMax = 1.5;
/** Together at most 15 %. */
const priorityBoostMax = 0.09;
const salienceBoostMax = 0.05;

export interface RankInput {
  readonly candidates: readonly Candidate[];
  /** Sum of the query's idf. */
  readonly queryMass: number;
  /** Salience at the time of the search, null until computed. */
  readonly salienceOf: (candidate: Candidate) => number | null;
}

export interface Ranked {
  readonly candidate: Candidate;
  /** 0..1, comparable between queries; see `shownScore`. */
  readonly score: number;
  /** Orders the results of this query; larger is better. */
  readonly order: number;
  readonly features: Readonly<Record<string, number>>;
  readonly priorityBoost: number;
  readonly salienceBoost: number;
}

/**
 * Ranks candidates by a linear combination of features, times mild boosts. Pure: the same
 * candidates give the same order, ties broken by newer first, then by id.
 */
export function rank({ candidates, queryMass, salienceOf }: RankInput): Ranked[] {
  const best = candidates.reduce((most, { keyword }) => Math.max(most, keyword), 0);
  const ranked = candidates.map((candidate): Ranked => {
    const features = featuresOf(candidate, best);
    const priorityBoost = 1 + (priorityBoostMax * candidate.document.priority) / 10;
    const salienceBoost = 1 + salienceBoostMax * (salienceOf(candidate) ?? 0);
    const sum = Object.values(features).reduce((total, value) => total + value, 0);
    return {
      candidate,
      features,
      priorityBoost,
      salienceBoost,
      order: sum * priorityBoost * salienceBoost,
      score: shownScore(candidate, queryMass),
    };
  });
  return ranked.sort(compare);
}

function compare(a: Ranked, b: Ranked): number {
  return (
    b.order - a.order ||
    b.candidate.document.createdAt - a.candidate.document.createdAt ||
    (a.candidate.document.id < b.candidate.document.id ? 1 : -1)
  );
}

function featuresOf(candidate: Candidate, best: number): Record<string, number> {
  const { keyword, semantic, document } = candidate;
  const lent = Math.min(1, lendingWords / Math.max(1, document.length));
  return {
    keyword: rankWeights.keyword * (best > 0 ? keyword / best : 0) ** keywordPower,
    semantic: rankWeights.semantic * Math.sqrt(lent) * Math.max(0, semantic),
    length: rankWeights.length * Math.log(3 + Math.min(15, document.length)),
  };
}

/**
 * The score that is shown, calibrated so that a restatement is at least .9 and unrelated texts
 * are below .5: a logistic function of how much of the query the memory holds, how near the
 * two are, and how much of the memory the query covers.
 */
function shownScore(candidate: Candidate, queryMass: number): number {
  const { keyword, semantic, coverage, covered } = candidate;
  const near = Math.max(0, semantic);
  const share = queryMass > 0 ? Math.min(keywordShareMax, keyword / queryMass) : 0;
  const { bias, ...w } = shownWeights;
  const sum =
    bias +
    w.keyword * share +
    w.semantic * near +
    w.covered * Math.sqrt(covered) +
    w.both * coverage * near;
  return Math.max(1 / (1 + Math.exp(-sum)), restatement(near, queryMass > 0 ? coverage : 1));
}

/**
 * 1 where all of the query is there and nothing sets the two apart, falling steeply from there:
 * texts of stop words alone, or of more terms than are looked at, are restated like any other.
 */
const restatement = (near: number, coverage: number): number => Math.min(1, near * coverage) ** 8;

/** Scores that never rise down the list: each takes the largest of those below it. */
export function carryUp(ranked: readonly Ranked[]): number[] {
  const scores = ranked.map(({ score }) => score);
  for (let i = scores.length - 2; i >= 0; i -= 1) {
    scores[i] = Math.max(scores[i] ?? 0, scores[i + 1] ?? 0);
  }
  return scores;
}
