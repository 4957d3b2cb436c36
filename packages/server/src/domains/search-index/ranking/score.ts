import { EvidenceLimits } from './evidence-limits.ts';
import {
  boostsOf,
  computeFeatures,
  overlapOf,
  prioritySumMin,
  type QueryContext,
  weightsFor,
} from './features.ts';
import { type FeatureName, featureNames, type RankerWeights } from './weights.ts';

/** The shown score: the probability that a memory answers the query. */
export const toScore = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
export const toLogOdds = (score: number): number => Math.log(score / (1 - score));

/** Least sum of idf of a question: a query of stop words is no easier to answer. */
const queryIdfMin = 10;

/** What a score is made of, in log-odds; the sum is that of the score. */
export type Contributions = Readonly<Record<string, number>>;

/** What the best results of a query say about all of them. */
export interface Confidence {
  /** Number of the first document. */
  readonly first: number;
  readonly firstEvidence: number;
  /** Added to all, by how near the first is to the query and how much of its words it has. */
  readonly bestMatch: number;
  /** Added to the first, by its distance to the second. */
  readonly lead: number;
  /** Added to the others for each unit of evidence that they are behind the first. */
  readonly behind: number;
}

/** Computes the log-odds that documents answer one query. */
export class Scorer {
  readonly #context: QueryContext;
  readonly #features = new Float64Array(featureNames.length);
  readonly #limits: EvidenceLimits;
  readonly #logIdfSum: number;

  constructor(context: QueryContext) {
    this.#context = context;
    this.#logIdfSum = Math.log(Math.max(queryIdfMin, context.matches.idfSum));
    this.#limits = new EvidenceLimits(context, (ranker) => this.#biasOf(ranker));
  }

  /** scale · Σ weight · feature + boosts + bias: what the document alone says. */
  evidence(document: number): number {
    const ranker = weightsFor(this.#context, document);
    const features = computeFeatures(this.#context, document, this.#features);
    const sum = weightedSum(ranker, features);
    const { priority, salience } = this.#boostTerms(document, sum);
    return sum + priority + salience + this.#biasOf(ranker);
  }

  /** Sets at least the evidence of each document, for a fraction of the time. */
  fillEvidenceLimits(documents: Int32Array, out: Float64Array): void {
    this.#limits.fill(documents, out);
  }

  /** @param second evidence of the second document, undefined without one */
  confidence(first: number, firstEvidence: number, second: number | undefined): Confidence {
    const { scale, ...ranker } = weightsFor(this.#context, first);
    const cosine = Math.max(0, this.#context.buffers.semantic[first] as number);
    const { coverage } = overlapOf(this.#context, first);
    const distance = second === undefined ? 0 : Math.max(0, firstEvidence - second) / scale;
    return {
      first,
      firstEvidence,
      bestMatch: ranker.bestCosine * cosine + ranker.bestCoverage * coverage,
      lead: ranker.lead * Math.log1p(distance),
      behind: ranker.behind / scale,
    };
  }

  /** What makes up the evidence. */
  contributions(document: number): Record<string, number> {
    const ranker = weightsFor(this.#context, document);
    const { weights, scale } = ranker;
    const sum = weightedSum(ranker, computeFeatures(this.#context, document, this.#features));
    const entries = featureNames.map((name, i): [FeatureName, number] => [
      name,
      scale * (weights[i] as number) * (this.#features[i] as number),
    ]);
    return {
      ...Object.fromEntries(entries),
      ...this.#boostTerms(document, sum),
      bias: this.#biasOf(ranker),
    };
  }

  #boostTerms(document: number, sum: number): { priority: number; salience: number } {
    const { priority, salience } = boostsOf(this.#context, document);
    return {
      priority: (priority - 1) * Math.max(sum, prioritySumMin),
      salience: (salience - 1) * sum,
    };
  }

  #biasOf({ bias, queryIdf }: RankerWeights): number {
    return bias + queryIdf * this.#logIdfSum;
  }
}

function weightedSum({ weights, scale }: RankerWeights, features: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < features.length; i += 1) {
    sum += (weights[i] as number) * (features[i] as number);
  }
  return scale * sum;
}

/** The log-odds of a document's score: the confidence never changes the order. */
export const logOddsOf = (
  { first, firstEvidence, bestMatch, lead, behind }: Confidence,
  document: number,
  evidence: number,
): number =>
  evidence + bestMatch + (document === first ? lead : behind * (evidence - firstEvidence));

/** What the confidence adds to a document's evidence. */
export const confidenceTerms = (
  { first, firstEvidence, bestMatch, lead, behind }: Confidence,
  document: number,
  evidence: number,
): Contributions => ({
  best_match: bestMatch,
  lead: document === first ? lead : 0,
  behind_first: document === first ? 0 : behind * (evidence - firstEvidence),
});

export const sumOf = (terms: Contributions): number =>
  Object.values(terms).reduce((sum, value) => sum + value, 0);
