import {
  expectedCalibrationError,
  mean,
  ndcgAt,
  nearestRankPercentile,
  type RankedOutcome,
  type ReliabilityBucket,
  recallAt,
  reciprocalRank,
  reliabilityBuckets,
} from './metrics.ts';
import type { QuestionOutcome } from './outcome.ts';

/** Metrics by name; null where no question or result counts for it. */
export type Metrics = Readonly<Record<MetricName, number | null>>;

/** A score from here on says that the memory answers the question. */
const confidentScoreMin = 0.5;

const meanOf =
  (metric: (outcome: RankedOutcome) => number) =>
  (outcomes: readonly QuestionOutcome[]): number | null =>
    mean(outcomes.filter(({ ranks }) => ranks.length > 0).map(metric));

const percentile =
  (share: number) =>
  (outcomes: readonly QuestionOutcome[]): number | null =>
    nearestRankPercentile(
      outcomes.map(({ latency_ms }) => latency_ms),
      share,
    );

const metricFunctions = {
  'recall@1': meanOf((outcome) => recallAt(outcome, 1)),
  'recall@5': meanOf((outcome) => recallAt(outcome, 5)),
  'recall@10': meanOf((outcome) => recallAt(outcome, 10)),
  mrr: meanOf(reciprocalRank),
  'ndcg@10': meanOf((outcome) => ndcgAt(outcome, 10)),
  confident_without_answer: confidentShare,
  calibration_error: (outcomes: readonly QuestionOutcome[]) =>
    expectedCalibrationError(scoredResults(outcomes)),
  latency_p50_ms: percentile(0.5),
  latency_p95_ms: percentile(0.95),
} as const;

export type MetricName = keyof typeof metricFunctions;

export const metricNames = Object.keys(metricFunctions) as readonly MetricName[];

/** Metrics that are better if they are higher: they can be required. */
export const requirableMetrics = metricNames.filter((name) => /^(?:recall|mrr|ndcg)/.test(name));

export const computeMetrics = (outcomes: readonly QuestionOutcome[]): Metrics =>
  Object.fromEntries(
    metricNames.map((name) => [name, metricFunctions[name](outcomes)]),
  ) as unknown as Metrics;

export const computeReliability = (outcomes: readonly QuestionOutcome[]): ReliabilityBucket[] =>
  reliabilityBuckets(scoredResults(outcomes));

/** How many questions had each status of a model. */
export type StatusCounts = Readonly<Record<'rewrite' | 'rerank', Readonly<Record<string, number>>>>;

export function countStatuses(outcomes: readonly QuestionOutcome[]): StatusCounts {
  const counts = { rewrite: {}, rerank: {} } as Record<keyof StatusCounts, Record<string, number>>;
  for (const { models } of outcomes) {
    for (const role of ['rewrite', 'rerank'] as const) {
      const status = models?.[role];
      if (status !== undefined) counts[role][status] = (counts[role][status] ?? 0) + 1;
    }
  }
  return counts;
}

const scoredResults = (outcomes: readonly QuestionOutcome[]) =>
  outcomes.flatMap(({ results }) =>
    results.flatMap(({ score, is_hit }) => (score === null ? [] : { score, is_hit })),
  );

/** Of the questions without an answer, the share whose best result seems to be one. */
function confidentShare(outcomes: readonly QuestionOutcome[]): number | null {
  const isConfident = ({ results }: QuestionOutcome): boolean =>
    results.some(({ score }) => (score ?? 0) >= confidentScoreMin);
  const unanswerable = outcomes.filter(({ ranks }) => ranks.length === 0);
  return mean(unanswerable.map((outcome) => (isConfident(outcome) ? 1 : 0)));
}
