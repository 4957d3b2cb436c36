import { readFileSync } from 'node:fs';
import type { OutdatedReason } from '../../text-analyzer.ts';
import { pairFeatures, type TextFeatures } from './pair-features.ts';

/** A small network over features, and how it and the pair network are weighed together. */
interface QuickWeights {
  /** Per feature. */
  readonly mean: readonly number[];
  readonly scale: readonly number[];
  /** A row per hidden unit. */
  readonly hidden: readonly (readonly number[])[];
  readonly hiddenBias: readonly number[];
  readonly output: readonly number[];
  readonly outputBias: number;
  /** Of the log-odds of a pair: of this network, of the pair network, and a constant. */
  readonly combined: { readonly quick: number; readonly pair: number; readonly bias: number };
}

const file = new URL('../../../../../assets/updates/quick.json', import.meta.url);
const weights = JSON.parse(readFileSync(file, 'utf8')) as QuickWeights;

/** The log-odds that a newer text outdates an older one, by features alone. */
export function quickLogOdds(older: TextFeatures, newer: TextFeatures, similarity: number): number {
  const inputs = pairFeatures(older, newer, similarity).map(
    (value, i) => (value - (weights.mean[i] as number)) / (weights.scale[i] as number),
  );
  return weights.hidden.reduce((sum, row, unit) => {
    const total = row.reduce(
      (all, weight, i) => all + weight * (inputs[i] as number),
      weights.hiddenBias[unit] as number,
    );
    return sum + Math.tanh(total) * (weights.output[unit] as number);
  }, weights.outputBias);
}

/** The log-odds by features and by the pair network together. */
export const combinedLogOdds = (quick: number, pair: number): number =>
  weights.combined.quick * quick + weights.combined.pair * pair + weights.combined.bias;

/**
 * Of hard pairs, which share words and differ in what they say, fewer than half of those that are
 * found are changes (bench/updates), so nothing is claimed to be certain.
 */
const confidenceMax = 0.85;

export const toProbability = (logOdds: number): number =>
  Math.min(confidenceMax, 1 / (1 + Math.exp(-logOdds)));

/** What in the newer text tells that it outdates the older one. */
export function reasonOf({ cues }: TextFeatures): OutdatedReason {
  if (cues.corrected) return 'corrected';
  if (cues.replaced) return 'replaced';
  return cues.ended ? 'ended' : 'other_value';
}
