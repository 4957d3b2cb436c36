/**
 * A linear-chain conditional random field (Lafferty, McCallum and Pereira, 2001), learnt by AdaGrad
 * (Duchi, Hazan and Singer, 2011) with weights drawn to zero.
 */

import { LinearChainCrf } from '../src/entities/model/linear-chain-crf.ts';
import { bioLabels, canLabelFollow, transitionFeature } from '../src/entities/model/name-tagger.ts';
import { hashFeature } from '../src/entities/model/weights.ts';
import { featureIndexes, type TrainedWeights, type TrainingOptions } from './pack-weights.ts';
import { createRandom, shuffledIndexes } from './random.ts';

export interface LabelledSequence {
  /** Features by their hashes. */
  readonly tokens: readonly { readonly features: Int32Array; readonly label: number }[];
}

const width = bioLabels.length;
const never = -1e4;

export function trainCrf(
  sequences: readonly LabelledSequence[],
  options: TrainingOptions,
): TrainedWeights {
  const names = frequentFeatures(sequences, options.countMin);
  const indexes = new Map(names.map((name, at) => [name, at]));
  const stepFrom = bioLabels.map(
    (label) => indexes.get(hashFeature(transitionFeature(label))) as number,
  );
  const coded = sequences.map(({ tokens }) => ({
    gold: tokens.map(({ label }) => label),
    features: tokens.map(({ features }) => featureIndexes(features, indexes)),
  }));
  const model = new CrfTrainer(names.length, stepFrom, options);
  const chance = createRandom(7);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const at of shuffledIndexes(coded.length, chance)) {
      const sequence = coded[at];
      if (sequence) model.learn(sequence.features, sequence.gold, chance);
    }
  }
  return { labels: bioLabels, features: names, rows: model.weights };
}

function frequentFeatures(sequences: readonly LabelledSequence[], countMin: number): number[] {
  const counts = new Map<number, number>();
  for (const { tokens } of sequences) {
    for (const { features } of tokens) {
      for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const frequent = [...counts].filter(([, count]) => count >= countMin).map(([name]) => name);
  return [...frequent, ...bioLabels.map((label) => hashFeature(transitionFeature(label)))];
}

class CrfTrainer {
  readonly weights: Float64Array;
  readonly #squares: Float64Array;
  readonly #stepFrom: readonly number[];
  readonly #options: TrainingOptions;
  readonly #begins = Float64Array.from(bioLabels, (label) =>
    canLabelFollow(null, label) ? 0 : never,
  );

  constructor(count: number, stepFrom: readonly number[], options: TrainingOptions) {
    this.weights = new Float64Array(count * width);
    this.#squares = new Float64Array(count * width).fill(1e-2);
    this.#stepFrom = stepFrom;
    this.#options = options;
  }

  learn(all: readonly Int32Array[], gold: readonly number[], chance: () => number): void {
    const { featureDropout } = this.#options;
    const features =
      featureDropout > 0 ? all.map((one) => one.filter(() => chance() >= featureDropout)) : all;
    const scores = features.map((token) => this.#scoresOf(token));
    const chain = new LinearChainCrf(scores, this.#steps(), this.#begins);
    for (const [at, token] of features.entries()) {
      for (let label = 0; label < width; label += 1) {
        const slope = chain.probability(at, label) - (gold[at] === label ? 1 : 0);
        if (Math.abs(slope) < 1e-3) continue;
        for (const feature of token) this.#move(feature * width + label, slope);
      }
    }
    this.#learnSteps(chain, gold);
  }

  #learnSteps(chain: LinearChainCrf, gold: readonly number[]): void {
    const slopes = new Float64Array(width * width);
    for (let at = 0; at + 1 < gold.length; at += 1) {
      for (let one = 0; one < width; one += 1) {
        for (let other = 0; other < width; other += 1) {
          const told = gold[at] === one && gold[at + 1] === other ? 1 : 0;
          const place = one * width + other;
          slopes[place] = (slopes[place] as number) + chain.joint(at, one, other) - told;
        }
      }
    }
    for (let one = 0; one < width; one += 1) {
      for (let other = 0; other < width; other += 1) {
        const slope = slopes[one * width + other] as number;
        if (Math.abs(slope) > 1e-3)
          this.#move((this.#stepFrom[one] as number) * width + other, slope);
      }
    }
  }

  #scoresOf(token: Int32Array): Float64Array {
    const sums = new Float64Array(width);
    for (const feature of token) {
      const from = feature * width;
      for (let label = 0; label < width; label += 1) {
        sums[label] = (sums[label] as number) + (this.weights[from + label] as number);
      }
    }
    return sums;
  }

  #steps(): Float64Array {
    return Float64Array.from({ length: width * width }, (_, place) => {
      const [one, other] = [Math.floor(place / width), place % width];
      return canLabelFollow(bioLabels[one] as string, bioLabels[other] as string)
        ? (this.weights[(this.#stepFrom[one] as number) * width + other] as number)
        : never;
    });
  }

  #move(place: number, slope: number): void {
    const weight = this.weights[place] as number;
    const whole = slope + this.#options.regularization * weight;
    const squares = (this.#squares[place] as number) + whole * whole;
    this.#squares[place] = squares;
    this.weights[place] = weight - (this.#options.rate * whole) / Math.sqrt(squares);
  }
}
