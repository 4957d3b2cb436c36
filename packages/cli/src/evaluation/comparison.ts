import { mean, reciprocalRank } from './metrics.ts';
import type { QuestionOutcome } from './outcome.ts';
import { questionKey } from './questions.ts';
import { computeMetrics, type Metrics, metricNames } from './summary.ts';

/** A question whose first expected memory is at another rank than before. */
export interface ChangedQuestion {
  readonly line: number;
  readonly query: string;
  readonly change: 'better' | 'worse';
  /** The mean reciprocal rank of the expected memories; a higher one is better. */
  readonly before: readonly (number | null)[];
  readonly after: readonly (number | null)[];
}

export interface Comparison {
  /** The questions that both runs have; only these are compared. */
  readonly common_questions: number;
  /** This run minus the earlier one, over the common questions. */
  readonly differences: Metrics;
  readonly changed: readonly ChangedQuestion[];
}

/** Compares a run with an earlier one, over the questions that both have. */
export function compareOutcomes(
  current: readonly QuestionOutcome[],
  former: readonly QuestionOutcome[],
): Comparison {
  const formerByKey = new Map(former.map((outcome) => [questionKey(outcome), outcome]));
  const pairs = current.flatMap((after) => {
    const before = formerByKey.get(questionKey(after));
    return before ? [{ before, after }] : [];
  });
  const [before, after] = [
    computeMetrics(pairs.map((pair) => pair.before)),
    computeMetrics(pairs.map((pair) => pair.after)),
  ];
  const differences = Object.fromEntries(
    metricNames.map((name) => [name, subtract(after[name], before[name])]),
  ) as unknown as Metrics;
  return { common_questions: pairs.length, differences, changed: pairs.flatMap(changeOf) };
}

const subtract = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;

function changeOf({
  before,
  after,
}: {
  before: QuestionOutcome;
  after: QuestionOutcome;
}): ChangedQuestion[] {
  const difference = quality(after) - quality(before);
  if (Math.abs(difference) < 1e-9) return [];
  const { line, query } = after;
  const change = difference > 0 ? 'better' : 'worse';
  return [{ line, query, change, before: before.ranks, after: after.ranks }];
}

/** Every expected memory counts by its own rank, so that a move of any of them is seen. */
const quality = ({ ranks }: QuestionOutcome): number =>
  mean(ranks.map((rank) => reciprocalRank({ ranks: [rank] }))) ?? 0;
