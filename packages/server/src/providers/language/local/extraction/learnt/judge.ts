import { readFileSync } from 'node:fs';
import { pairFeatures, type RuleVerdicts, verdictsOn } from './pair-features.ts';
import { type Outcome, outcomeOf, outcomes, type Pair } from './pairs.ts';
import { Weights } from './weights.ts';

/** What a pair tells, and how sure that is. */
export interface Judged extends Outcome {
  readonly pair: Pair;
  readonly confidence: number;
  /** The rules say so too. */
  readonly isRuled: boolean;
}

/** What is less probable is not considered. */
const confidenceMin = 0.2;

/** What the pairs may tell, by the learnt weights. */
export function judged(
  pairs: readonly Pair[],
  verdicts: RuleVerdicts,
  names: readonly string[],
  weights: Weights = shippedFacts(),
): Judged[] {
  return pairs.flatMap((pair) => {
    const sums = weights.sumOf(pairFeatures(pair, verdicts, names));
    const ruled = verdictsOn(pair, verdicts).flatMap(
      (name) => placesOf.get(name.split(' ')[0] ?? '') ?? [],
    );
    const isRuled = ruled.length > 0;
    // What rules read is said in so many words: the weights tell whether, not what.
    const best = likeliest(sums, isRuled ? ruled : told);
    const confidence = shareOf(sums, best);
    const outcome = outcomeOf(outcomes[best] as string);
    return confidence < confidenceMin ? [] : [{ ...outcome, pair, confidence, isRuled }];
  });
}

/** Of a predicate, both ways. */
const placesOf: ReadonlyMap<string, readonly number[]> = Map.groupBy(
  outcomes.keys(),
  (at) => outcomes[at]?.split(' ')[0] ?? '',
);
/** All but none at all, which stands first. */
const told = outcomes.map((_, at) => at).slice(1);

const likeliest = (sums: Float64Array, places: readonly number[]): number =>
  places.reduce((best, at) => ((sums[at] as number) > (sums[best] as number) ? at : best));

/** The share of one among the exponentials of all. */
export function shareOf(sums: Float64Array, one: number): number {
  const most = Math.max(...sums);
  const all = sums.reduce((sum, value) => sum + Math.exp(value - most), 0);
  return Math.exp((sums[one] as number) - most) / all;
}

const file = new URL('../../../../../../assets/extraction/facts.bin', import.meta.url);
let shipped: Weights | undefined;

const shippedFacts = (): Weights => {
  shipped ??= new Weights(readFileSync(file));
  return shipped;
};
