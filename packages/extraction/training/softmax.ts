/** Multinomial logistic regression, learnt by AdaGrad with weights drawn to zero. */

import { pairLabels } from '../src/entities/model/fact-candidate-pairs.ts';
import { softmaxAt } from '../src/entities/model/pair-classifier.ts';
import { featureIndexes, type TrainedWeights, type TrainingOptions } from './pack-weights.ts';
import { createRandom, shuffledIndexes } from './random.ts';

export interface SoftmaxExample {
  /** By their hashes. */
  readonly features: Int32Array;
  readonly label: number;
}

const width = pairLabels.length;

export function trainSoftmax(
  examples: readonly SoftmaxExample[],
  options: TrainingOptions,
): TrainedWeights {
  const counts = new Map<number, number>();
  for (const { features } of examples) {
    for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].filter(([, count]) => count >= options.countMin).map(([name]) => name);
  const indexes = new Map(names.map((name, at) => [name, at]));
  const coded = examples.map(({ features, label }) => ({
    label,
    features: featureIndexes(features, indexes),
  }));
  const mean = new Float64Array(names.length * width);
  for (let run = 0; run < runs; run += 1) {
    const rows = trainOnce(coded, names.length * width, createRandom(11 + run), options);
    for (const [at, weight] of rows.entries()) mean[at] = (mean[at] as number) + weight / runs;
  }
  return { labels: pairLabels, features: names, rows: mean };
}

interface IndexedExample {
  readonly features: Int32Array;
  readonly label: number;
}

/** The mean of several runs that hide other features is steadier than one. */
const runs = 3;

function trainOnce(
  coded: readonly IndexedExample[],
  size: number,
  chance: () => number,
  options: TrainingOptions,
): Float64Array {
  const rows = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-2);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const at of shuffledIndexes(coded.length, chance)) {
      const { features, label } = coded[at] as IndexedExample;
      const shown = features.filter(() => chance() >= options.featureDropout);
      step(shown, label, rows, squares, options);
    }
  }
  return rows;
}

function step(
  features: Int32Array,
  label: number,
  rows: Float64Array,
  squares: Float64Array,
  { rate, regularization }: TrainingOptions,
): void {
  const sums = new Float64Array(width);
  for (const feature of features) {
    const from = feature * width;
    for (let one = 0; one < width; one += 1)
      sums[one] = (sums[one] as number) + (rows[from + one] as number);
  }
  for (let one = 0; one < width; one += 1) {
    const slope = softmaxAt(sums, one) - (one === label ? 1 : 0);
    if (Math.abs(slope) < 1e-3) continue;
    for (const feature of features) {
      const place = feature * width + one;
      const weight = rows[place] as number;
      const whole = slope + regularization * weight;
      squares[place] = (squares[place] as number) + whole * whole;
      rows[place] = weight - (rate * whole) / Math.sqrt(squares[place] as number);
    }
  }
}
