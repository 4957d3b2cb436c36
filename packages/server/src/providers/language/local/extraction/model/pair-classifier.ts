import { readFileSync } from 'node:fs';
import { extractPairFeatures, getRuleVerdicts, type RuleVerdicts } from './pair-features.ts';
import { type NamePair, type PairLabel, pairLabels, parsePairLabel } from './pairs.ts';
import { Weights } from './weights.ts';

/** What a pair tells, and how sure that is. */
export interface ClassifiedPair extends PairLabel {
  readonly pair: NamePair;
  readonly confidence: number;
  /** The rules say so too. */
  readonly isConfirmedByRule: boolean;
}

/** What is less probable is not considered. */
const confidenceMin = 0.2;

/** What the pairs may tell, by the learnt weights. */
export function classifyPairs(
  pairs: readonly NamePair[],
  verdicts: RuleVerdicts,
  names: readonly string[],
  weights: Weights = shippedFacts(),
): ClassifiedPair[] {
  return pairs.flatMap((pair) => {
    const sums = weights.sumOf(extractPairFeatures(pair, verdicts, names));
    const ruled = getRuleVerdicts(pair, verdicts).flatMap(
      (name) => placesOf.get(name.split(' ')[0] ?? '') ?? [],
    );
    const isConfirmedByRule = ruled.length > 0;
    // What rules read is said in so many words: the weights tell whether, not what.
    const best = likeliest(sums, isConfirmedByRule ? ruled : told);
    const confidence = softmaxAt(sums, best);
    const outcome = parsePairLabel(pairLabels[best] as string);
    return confidence < confidenceMin ? [] : [{ ...outcome, pair, confidence, isConfirmedByRule }];
  });
}

/** Of a predicate, both ways. */
const placesOf: ReadonlyMap<string, readonly number[]> = Map.groupBy(
  pairLabels.keys(),
  (at) => pairLabels[at]?.split(' ')[0] ?? '',
);
/** All but none at all, which stands first. */
const told = pairLabels.map((_, at) => at).slice(1);

const likeliest = (sums: Float64Array, places: readonly number[]): number =>
  places.reduce((best, at) => ((sums[at] as number) > (sums[best] as number) ? at : best));

/** The share of one among the exponentials of all. */
export function softmaxAt(sums: Float64Array, one: number): number {
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
