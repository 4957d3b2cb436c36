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
    const best = bestTold(sums);
    const name = outcomes[best] as string;
    const confidence = shareOf(sums, best);
    const isRuled = verdictsOn(pair, verdicts).includes(name);
    return confidence < confidenceMin ? [] : [{ ...outcomeOf(name), pair, confidence, isRuled }];
  });
}

/** The outcome that most speaks for, but for none at all. */
function bestTold(sums: Float64Array): number {
  let best = 1;
  for (let at = 2; at < sums.length; at += 1) {
    if ((sums[at] as number) > (sums[best] as number)) best = at;
  }
  return best;
}

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
