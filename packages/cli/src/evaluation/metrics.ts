/** Metrics of ranked retrieval: pure functions of ranks and scores. */

/** What a question found. Ranks start at 1; null: not among the results. */
export interface RankedOutcome {
  /** For each expected memory, the rank of the first result that is it. */
  readonly ranks: readonly (number | null)[];
}

/**
 * Recall at k: the share of the expected memories among the first k results. Manning, Raghavan and
 * Schütze, Introduction to Information Retrieval, 2008, section 8.4. Needs at least one rank.
 */
export function recallAt({ ranks }: RankedOutcome, k: number): number {
  return ranks.filter((rank) => rank !== null && rank <= k).length / ranks.length;
}

/** 1 / rank of the first expected memory; 0 without one. Voorhees, TREC-8 QA track, 1999. */
export function reciprocalRank({ ranks }: RankedOutcome): number {
  const found = foundRanks(ranks);
  return found.length === 0 ? 0 : 1 / Math.min(...found);
}

/**
 * Normalised discounted cumulative gain at k with binary gains and the discount 1 / log2(rank + 1).
 * Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002. A result that is
 * several of the expected memories counts once.
 */
export function ndcgAt({ ranks }: RankedOutcome, k: number): number {
  const distinct = new Set(foundRanks(ranks));
  const relevant = distinct.size + ranks.filter((rank) => rank === null).length;
  const gains = [...distinct].filter((rank) => rank <= k).map(discount);
  const ideal = Array.from({ length: Math.min(relevant, k) }, (_, i) => discount(i + 1));
  return Math.min(1, sum(gains) / sum(ideal));
}

const discount = (rank: number): number => 1 / Math.log2(rank + 1);

const foundRanks = (ranks: readonly (number | null)[]): number[] =>
  ranks.filter((rank) => rank !== null);

/** A shown score, and whether its result is one of the expected memories. */
export interface ScoredResult {
  readonly score: number;
  readonly is_hit: boolean;
}

/** Results whose scores are in [from, to); the last bucket includes 1. */
export interface ReliabilityBucket {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly mean_score: number;
  /** The share of hits. */
  readonly hit_rate: number;
}

/** The scores 0 to 1 in buckets of equal width; those without a result are omitted. */
export function reliabilityBuckets(
  results: readonly ScoredResult[],
  bucketCount = 10,
): ReliabilityBucket[] {
  const buckets = Array.from({ length: bucketCount }, (): ScoredResult[] => []);
  for (const result of results) {
    const index = Math.min(bucketCount - 1, Math.floor(result.score * bucketCount));
    buckets[index]?.push(result);
  }
  return buckets.flatMap((bucket, i) =>
    bucket.length === 0
      ? []
      : {
          from: i / bucketCount,
          to: (i + 1) / bucketCount,
          count: bucket.length,
          mean_score: sum(bucket.map(({ score }) => score)) / bucket.length,
          hit_rate: bucket.filter(({ is_hit }) => is_hit).length / bucket.length,
        },
  );
}

/**
 * Expected calibration error: the mean distance of score and share of hits in the buckets, weighted
 * by their results. Naeini, Cooper and Hauskrecht, 2015; Guo et al., 2017. Null without results.
 */
export function expectedCalibrationError(
  results: readonly ScoredResult[],
  bucketCount = 10,
): number | null {
  if (results.length === 0) return null;
  const distances = reliabilityBuckets(results, bucketCount).map(
    ({ count, mean_score, hit_rate }) => (count / results.length) * Math.abs(mean_score - hit_rate),
  );
  return sum(distances);
}

/** The smallest value that at least this share of the values does not exceed; null without any. */
export function nearestRankPercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? null;
}

/** Null without values. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length;

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
