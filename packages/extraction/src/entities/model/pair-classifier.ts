import { readFileSync } from 'node:fs';
import {
  type FactCandidatePair,
  type PairLabel,
  pairLabels,
  parsePairLabel,
} from './fact-candidate-pairs.ts';
import { extractPairFeatures, getRuleLabels, type RuleLabelsByPair } from './pair-features.ts';
import { Weights } from './weights.ts';

/** The label of a pair, with its confidence. */
export interface ClassifiedPair extends PairLabel {
  readonly pair: FactCandidatePair;
  readonly confidence: number;
  /** The rules found the same fact. */
  readonly isConfirmedByRule: boolean;
}

/** Less probable labels are ignored. */
const confidenceMin = 0.2;

/** The possible facts of the pairs, by the model. */
export function classifyPairs(
  pairs: readonly FactCandidatePair[],
  verdicts: RuleLabelsByPair,
  names: readonly string[],
  weights: Weights = shippedFacts(),
): ClassifiedPair[] {
  return pairs.flatMap((pair) => {
    const sums = weights.sumOf(extractPairFeatures(pair, verdicts, names));
    const ruled = getRuleLabels(pair, verdicts).flatMap(
      (name) => placesOf.get(name.split(' ')[0] ?? '') ?? [],
    );
    const isConfirmedByRule = ruled.length > 0;
    // A rule matches explicit words: the model then decides whether, not which fact.
    const best = likeliest(sums, isConfirmedByRule ? ruled : told);
    const confidence = softmaxAt(sums, best);
    const outcome = parsePairLabel(pairLabels[best] as string);
    return confidence < confidenceMin ? [] : [{ ...outcome, pair, confidence, isConfirmedByRule }];
  });
}

/** By predicate: its labels in both directions. */
const placesOf: ReadonlyMap<string, readonly number[]> = Map.groupBy(
  pairLabels.keys(),
  (at) => pairLabels[at]?.split(' ')[0] ?? '',
);
/** All labels except the first, which means no fact. */
const told = pairLabels.map((_, at) => at).slice(1);

const likeliest = (sums: Float64Array, places: readonly number[]): number =>
  places.reduce((best, at) => ((sums[at] as number) > (sums[best] as number) ? at : best));

/** The softmax of one score. */
export function softmaxAt(sums: Float64Array, one: number): number {
  const most = Math.max(...sums);
  const all = sums.reduce((sum, value) => sum + Math.exp(value - most), 0);
  return Math.exp((sums[one] as number) - most) / all;
}

const file = new URL('../../../assets/models/facts.bin', import.meta.url);
let shipped: Weights | undefined;

const shippedFacts = (): Weights => {
  shipped ??= new Weights(readFileSync(file));
  return shipped;
};
