/** Score of a forbidden transition: effectively minus infinity. */
export const forbiddenTransitionScore = -1e4;

/**
 * A linear-chain CRF: a score for every label at every position, and one for each transition.
 * `steps[one * labels + other]` is the score of `other` after `one`; `begins` has the scores at the
 * start.
 */
export class LinearChainCrf {
  readonly #labels: number;
  readonly #scores: readonly Float64Array[];
  readonly #steps: Float64Array;
  /** `e ** step`: one exponential per transition instead of one per position. */
  readonly #factors: Float64Array;
  readonly #begins: Float64Array;
  /** Forward and backward log sums over all paths, by position. */
  readonly before: Float64Array[] = [];
  readonly behind: Float64Array[] = [];
  /** Log sum over all paths. */
  readonly total: number;

  constructor(
    scores: readonly Float64Array[],
    steps: Float64Array,
    begins: Float64Array,
    factors = transitionFactors(steps),
  ) {
    this.#labels = begins.length;
    this.#scores = scores;
    this.#steps = steps;
    this.#factors = factors;
    this.#begins = begins;
    this.#forward();
    this.#backward();
    this.total = logSum(this.before.at(-1) ?? new Float64Array(1));
  }

  #forward(): void {
    const weights = new Float64Array(this.#labels);
    for (const [at, scores] of this.#scores.entries()) {
      const sums = new Float64Array(this.#labels);
      const last = this.before[at - 1];
      const most = last ? exponentials(last, weights) : 0;
      for (let label = 0; label < this.#labels; label += 1) {
        let reached = this.#begins[label] as number;
        if (last) {
          let sum = 0;
          for (let one = 0; one < this.#labels; one += 1) {
            sum += (weights[one] as number) * (this.#factors[one * this.#labels + label] as number);
          }
          reached = logOf(sum, most);
        }
        sums[label] = reached + (scores[label] as number);
      }
      this.before.push(sums);
    }
  }

  #backward(): void {
    const weights = new Float64Array(this.#labels);
    this.behind.length = this.#scores.length;
    for (let at = this.#scores.length - 1; at >= 0; at -= 1) {
      const sums = new Float64Array(this.#labels);
      const next = this.behind[at + 1];
      const scores = this.#scores[at + 1];
      if (next && scores) {
        const most = exponentials(
          next.map((sum, label) => sum + (scores[label] as number)),
          weights,
        );
        for (let label = 0; label < this.#labels; label += 1) {
          let sum = 0;
          for (let other = 0; other < this.#labels; other += 1) {
            const factor = this.#factors[label * this.#labels + other] as number;
            sum += (weights[other] as number) * factor;
          }
          sums[label] = logOf(sum, most);
        }
      }
      this.behind[at] = sums;
    }
  }

  #step(one: number, other: number): number {
    return this.#steps[one * this.#labels + other] as number;
  }

  /** Marginal probability of a label at a position. */
  probability(at: number, label: number): number {
    const both =
      (this.before[at]?.[label] ?? forbiddenTransitionScore) +
      (this.behind[at]?.[label] ?? forbiddenTransitionScore);
    return Math.exp(both - this.total);
  }

  /** Joint probability of a label at a position and the next label after it. */
  joint(at: number, one: number, other: number): number {
    const from = (this.before[at]?.[one] ?? forbiddenTransitionScore) + this.#step(one, other);
    const to =
      (this.#scores[at + 1]?.[other] ?? forbiddenTransitionScore) +
      (this.behind[at + 1]?.[other] ?? forbiddenTransitionScore);
    return Math.exp(from + to - this.total);
  }

  /** Probability of a run of labels from a position on that is not followed by `not`. */
  run(from: number, labels: readonly number[], not: number): number {
    let sum = this.before[from]?.[labels[0] as number] ?? forbiddenTransitionScore;
    for (let at = 1; at < labels.length; at += 1) {
      const label = labels[at] as number;
      sum +=
        this.#step(labels[at - 1] as number, label) +
        (this.#scores[from + at]?.[label] ?? forbiddenTransitionScore);
    }
    const last = from + labels.length - 1;
    const label = labels.at(-1) as number;
    const whole = Math.exp(
      sum + (this.behind[last]?.[label] ?? forbiddenTransitionScore) - this.total,
    );
    const next = this.#scores[last + 1]?.[not];
    if (next === undefined) return whole;
    const on =
      sum +
      this.#step(label, not) +
      next +
      (this.behind[last + 1]?.[not] ?? forbiddenTransitionScore);
    return Math.max(0, whole - Math.exp(on - this.total));
  }

  /** The most probable labels (Viterbi), with a bias added to the score of each label. */
  best(lean: Float64Array): number[] {
    const from: Int16Array[] = [];
    let last: Float64Array | null = null;
    for (const scores of this.#scores) {
      const sums = new Float64Array(this.#labels);
      const origin = new Int16Array(this.#labels);
      for (let label = 0; label < this.#labels; label += 1) {
        let most = last ? Number.NEGATIVE_INFINITY : (this.#begins[label] as number);
        for (let one = 0; last && one < this.#labels; one += 1) {
          const sum = (last[one] as number) + this.#step(one, label);
          if (sum <= most) continue;
          most = sum;
          origin[label] = one;
        }
        sums[label] = most + (scores[label] as number) + (lean[label] as number);
      }
      from.push(origin);
      last = sums;
    }
    if (!last) return [];
    const path = [last.indexOf(Math.max(...last))];
    for (let at = from.length - 1; at > 0; at -= 1) {
      path.unshift(from[at]?.[path[0] as number] ?? 0);
    }
    return path;
  }
}

/** `e ** step` of each transition, for chains that share their transitions. */
export const transitionFactors = (steps: Float64Array): Float64Array => steps.map(Math.exp);

/** Sets `into` to `e ** (value - most)` and returns `most`, the largest value. */
function exponentials(values: Float64Array, into: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  for (const [at, value] of values.entries()) into[at] = Math.exp(value - most);
  return most;
}

/** The logarithm of a sum of such exponentials; of a sum that vanishes, that of no path. */
const logOf = (sum: number, most: number): number =>
  sum > 0 ? most + Math.log(sum) : most + forbiddenTransitionScore;

function logSum(values: Float64Array): number {
  const weights = new Float64Array(values.length);
  const most = exponentials(values, weights);
  return logOf(
    weights.reduce((sum, weight) => sum + weight, 0),
    most,
  );
}
