import type { Neighbours } from './neighbours.ts';

/** Undirected: each pair once, with the strength of its link, 0 to 1. */
export interface FuzzyGraph {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly weight: Float32Array;
}

const bisections = 64;
/** Minimum bandwidth, relative to the mean distance. */
const bandwidthMin = 1e-3;

/**
 * The fuzzy union of the neighbourhoods of all rows (McInnes, Healy and Melville, "UMAP: Uniform
 * Manifold Approximation and Projection for Dimension Reduction", 2018, algorithms 2 and 3): w(i→j)
 * = exp(−max(0, d − ρ)/σ) with ρ the nearest distance above 0 and σ such that the weights of a row
 * sum to log2 k; w = w(i→j) + w(j→i) − w(i→j)·w(j→i).
 */
export function buildFuzzyGraph(neighbours: Neighbours): FuzzyGraph {
  const { k, rows } = neighbours;
  const count = rows.length / k;
  const directed = directedWeights(neighbours);
  const back = new Map<number, number>();
  const index = (from: number, to: number): number => from * count + to;
  for (let i = 0; i < rows.length; i += 1) {
    back.set(index(Math.floor(i / k), rows[i] as number), directed[i] as number);
  }
  const [from, to, weight]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < rows.length; i += 1) {
    const [a, b] = [Math.floor(i / k), rows[i] as number];
    const [existing, returned] = [directed[i] as number, back.get(index(b, a))];
    if (returned !== undefined && b < a) continue;
    from.push(a);
    to.push(b);
    weight.push(existing + (returned ?? 0) - existing * (returned ?? 0));
  }
  return {
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    weight: Float32Array.from(weight),
  };
}

function directedWeights({ k, distances }: Neighbours): Float32Array {
  const weights = new Float32Array(distances.length);
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  for (let first = 0; first < distances.length; first += k) {
    const own = distances.subarray(first, first + k);
    const nearest = own.find((distance) => distance > 0) ?? 0;
    const bandwidth = Math.max(bandwidthOf(own, nearest), bandwidthMin * mean);
    for (let i = 0; i < k; i += 1) {
      weights[first + i] = membershipStrength((own[i] as number) - nearest, bandwidth);
    }
  }
  return weights;
}

const membershipStrength = (beyond: number, bandwidth: number): number =>
  beyond <= 0 ? 1 : Math.exp(-beyond / bandwidth);

function bandwidthOf(distances: Float32Array, nearest: number): number {
  const target = Math.log2(distances.length);
  let [low, high, bandwidth] = [0, Number.POSITIVE_INFINITY, 1];
  for (let i = 0; i < bisections; i += 1) {
    let sum = 0;
    for (const distance of distances) sum += membershipStrength(distance - nearest, bandwidth);
    if (sum > target) high = bandwidth;
    else low = bandwidth;
    bandwidth = high === Number.POSITIVE_INFINITY ? bandwidth * 2 : (low + high) / 2;
  }
  return bandwidth;
}
