/** How well one ranking answers one question, and the means over many. */

export interface JudgedRanking {
  /** Ids in the order in which they were found. */
  readonly ranked: readonly string[];
  /** Id → grade, above 0. */
  readonly relevant: ReadonlyMap<string, number>;
}

/** The share of the relevant that is among the first k. */
export function recallAt({ ranked, relevant }: JudgedRanking, k: number): number {
  const first = new Set(ranked.slice(0, k));
  let hits = 0;
  for (const id of relevant.keys()) if (first.has(id)) hits += 1;
  return hits / relevant.size;
}

/** 1 when at least one of the relevant is among the first k. */
export const anyHitAt = (judged: JudgedRanking, k: number): number =>
  recallAt(judged, k) > 0 ? 1 : 0;

/** 1 / the place of the first relevant one, 0 without any. */
export function reciprocalRank({ ranked, relevant }: JudgedRanking): number {
  const place = ranked.findIndex((id) => relevant.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** Järvelin & Kekäläinen 2002, with gains 2^grade − 1. */
export function ndcgAt({ ranked, relevant }: JudgedRanking, k: number): number {
  const ideal = [...relevant.values()].sort((a, b) => b - a);
  const gained = ranked.map((id) => relevant.get(id) ?? 0);
  return discountedGain(gained, k) / discountedGain(ideal, k);
}

const discountedGain = (grades: readonly number[], k: number): number =>
  grades.slice(0, k).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);

/** Throws when there are no values. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new Error('a mean of no values');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface RetrievalMetrics {
  readonly count: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly recall20: number;
  readonly recall50: number;
  readonly any10: number;
  readonly mrr: number;
  readonly ndcg10: number;
}

/** Means over the questions, as shares. Throws when there are none. */
export function metricsOf(judged: readonly JudgedRanking[]): RetrievalMetrics {
  const over = (measure: (one: JudgedRanking) => number): number => mean(judged.map(measure));
  return {
    count: judged.length,
    recall5: over((one) => recallAt(one, 5)),
    recall10: over((one) => recallAt(one, 10)),
    recall20: over((one) => recallAt(one, 20)),
    recall50: over((one) => recallAt(one, 50)),
    any10: over((one) => anyHitAt(one, 10)),
    mrr: over(reciprocalRank),
    ndcg10: over((one) => ndcgAt(one, 10)),
  };
}
