import type { Random } from '../random.ts';
import type { FuzzyGraph } from './fuzzy-graph.ts';

/** The strength of a link by the distance d of its points: 1/(1 + a·d^2b). */
export interface AttractionCurve {
  readonly a: number;
  readonly b: number;
}

/** Fitted by least squares to exp(−d), the curve for min_dist 0: linked points may coincide. */
export const dense: AttractionCurve = { a: 1.9328, b: 0.7905 };
/** For min_dist 0.1, which keeps points apart: 1 up to there, then exp(0.1 − d). */
export const spread: AttractionCurve = { a: 1.5769, b: 0.8951 };

const repulsions = 5;
const stepMax = 4;

export interface LayoutOptions {
  readonly dimension: number;
  readonly curve: AttractionCurve;
  readonly epochs: number;
  readonly random: Random;
  readonly onProgress: (share: number) => void;
}

/**
 * Moves the points in place, so that linked points attract each other and others do not: stochastic
 * gradient descent with five negative samples per link (McInnes et al. 2018, algorithm 5).
 */
export function optimiseLayout(
  points: Float32Array,
  graph: FuzzyGraph,
  options: LayoutOptions,
): void {
  const { from, to } = graph;
  const { epochs, onProgress } = options;
  const every = periodsOf(graph.weight, epochs);
  const next = Float32Array.from(every);
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    const rate = 1 - (epoch - 1) / epochs;
    for (let edge = 0; edge < from.length; edge += 1) {
      if ((next[edge] as number) > epoch) continue;
      next[edge] = (next[edge] as number) + (every[edge] as number);
      applyForces(points, from[edge] as number, to[edge] as number, rate, options);
      applyForces(points, to[edge] as number, from[edge] as number, rate, options);
    }
    onProgress(epoch / epochs);
  }
}

/**
 * The number of epochs between two updates of each link: 1 for the strongest, infinite for links
 * too weak for one update.
 */
function periodsOf(weight: Float32Array, epochs: number): Float32Array {
  const strongest = weight.reduce((maxWeight, each) => Math.max(maxWeight, each), 0);
  return weight.map((each) =>
    each * epochs < strongest ? Number.POSITIVE_INFINITY : strongest / each,
  );
}

/** Two linked points attract each other, and the first is repelled by five random ones. */
function applyForces(
  points: Float32Array,
  one: number,
  other: number,
  rate: number,
  { dimension, curve: { a, b }, random }: LayoutOptions,
): void {
  const [p, q] = [one * dimension, other * dimension];
  const linked = squareBetween(points, p, q, dimension);
  if (linked > 0) {
    const power = linked ** b;
    const force = (-2 * a * b * power) / linked / (1 + a * power);
    for (let i = 0; i < dimension; i += 1) {
      const step =
        rate * clampStep(force * ((points[p + i] as number) - (points[q + i] as number)));
      points[p + i] = (points[p + i] as number) + step;
      points[q + i] = (points[q + i] as number) - step;
    }
  }
  const count = points.length / dimension;
  for (let sample = 0; sample < repulsions; sample += 1) {
    const chosen = Math.floor(random() * count) * dimension;
    if (chosen === p) continue;
    const square = squareBetween(points, p, chosen, dimension);
    const force = (2 * b) / ((0.001 + square) * (1 + a * square ** b));
    for (let i = 0; i < dimension; i += 1) {
      const apart = (points[p + i] as number) - (points[chosen + i] as number);
      points[p + i] =
        (points[p + i] as number) + rate * (square > 0 ? clampStep(force * apart) : 0);
    }
  }
}

function squareBetween(points: Float32Array, p: number, q: number, dimension: number): number {
  let sum = 0;
  for (let i = 0; i < dimension; i += 1) {
    const difference = (points[p + i] as number) - (points[q + i] as number);
    sum += difference * difference;
  }
  return sum;
}

const clampStep = (step: number): number => Math.max(-stepMax, Math.min(stepMax, step));
