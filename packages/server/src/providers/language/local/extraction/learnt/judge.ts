import { readFileSync } from 'node:fs';
import { pairFeatures, type RuleVerdicts } from './pair-features.ts';
import { type Outcome, outcomeOf, outcomes, type Pair } from './pairs.ts';
import { Weights } from './weights.ts';

/** What a pair tells, and how sure that is. */
export interface Judged extends Outcome {
  readonly pair: Pair;
  readonly confidence: number;
}

/** Below, nothing is told. */
const bar = 0.5;

/** The pairs that tell something, by the learnt weights. */
export function judged(
  pairs: readonly Pair[],
  verdicts: RuleVerdicts,
  names: readonly string[],
  weights: Weights = shippedFacts(),
): Judged[] {
  return pairs.flatMap((pair) => {
    const sums = weights.sumOf(pairFeatures(pair, verdicts, names));
    const best = sums.indexOf(Math.max(...sums));
    const outcome = outcomeOf(outcomes[best] as string);
    if (!outcome) return [];
    const confidence = shareOf(sums, best);
    return confidence < bar ? [] : [{ ...outcome, pair, confidence }];
  });
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
