import { boostsOf, computeFeatures, type QueryContext, weightsFor } from './features.ts';
import { featureNames, type RankerWeights } from './weights.ts';

/** The shown score: the probability that a memory answers the query. */
export const toScore = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
export const toLogOdds = (score: number): number => Math.log(score / (1 - score));

/** Computes the log-odds that documents answer one query. */
export class Scorer {
  readonly #context: QueryContext;
  readonly #features = new Float64Array(featureNames.length);

  constructor(context: QueryContext) {
    this.#context = context;
  }

  /** scale · Σ weight · feature · boosts + bias; comparable between documents and queries. */
  logOdds(document: number): number {
    const ranker = weightsFor(this.#context, document);
    const { weights, scale } = ranker;
    const features = computeFeatures(this.#context, document, this.#features);
    const { priority, salience } = boostsOf(this.#context, document);
    let sum = 0;
    for (let i = 0; i < features.length; i += 1) {
      sum += (weights[i] as number) * (features[i] as number);
    }
    return scale * sum * priority * salience + this.#biasOf(ranker);
  }

  /** What each feature adds to the log-odds before the boosts, and the constant `bias`. */
  contributions(document: number): Record<string, number> {
    const ranker = weightsFor(this.#context, document);
    const { weights, scale } = ranker;
    const features = computeFeatures(this.#context, document, this.#features);
    const entries = featureNames.map((name, i): [string, number] => [
      name,
      scale * (weights[i] as number) * (features[i] as number),
    ]);
    return { ...Object.fromEntries(entries), bias: this.#biasOf(ranker) };
  }

  #biasOf({ bias, queryIdf }: RankerWeights): number {
    return bias + queryIdf * Math.log(Math.max(1, this.#context.matches.idfSum));
  }
}
