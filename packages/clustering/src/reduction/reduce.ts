import type { Points } from '../hdbscan/spanning-tree.ts';
import type { Random } from '../random.ts';
import { VectorBlocks } from '../vector-blocks.ts';
import { buildFuzzyGraph } from './fuzzy-graph.ts';
import { dense, optimiseLayout } from './layout.ts';
import { nearestNeighbours } from './neighbours.ts';
import { principalCoordinates } from './principal-coordinates.ts';

const targetDimensions = 10;
const neighbours = 15;
/** With few points each one is moved more often. */
export const epochsOf = (count: number): number => (count <= 10_000 ? 500 : 200);

/**
 * Reduces unit vectors to ten dimensions, in which density separates groups: in high dimensions all
 * points are about equally far from each other. UMAP (McInnes, Healy and Melville 2018) with 15
 * neighbours and min_dist 0, initialised with the principal coordinates.
 */
export function reduceDimensions(
  vectors: Float32Array,
  dimension: number,
  random: Random,
  onProgress: (share: number) => void,
): Points {
  const count = vectors.length / dimension;
  const centred = subtractMean(vectors, dimension);
  const values = principalCoordinates(centred, dimension, targetDimensions, random);
  normaliseRows(centred, dimension);
  const nearest = nearestNeighbours(
    new VectorBlocks(centred, dimension),
    Math.min(neighbours, count - 1),
    (share) => onProgress(0.45 * share),
  );
  optimiseLayout(values, buildFuzzyGraph(nearest), {
    dimension: targetDimensions,
    curve: dense,
    epochs: epochsOf(count),
    random,
    onProgress: (share) => onProgress(0.45 + 0.55 * share),
  });
  return { dimension: targetDimensions, values };
}

/** The directions of the vectors minus their mean. */
export function centreRows(vectors: Float32Array, dimension: number): Float32Array {
  const centred = subtractMean(vectors, dimension);
  normaliseRows(centred, dimension);
  return centred;
}

/** The component that all vectors share does not separate them. */
export function subtractMean(vectors: Float32Array, dimension: number): Float32Array {
  const count = vectors.length / dimension;
  const mean = new Float64Array(dimension);
  for (let i = 0; i < vectors.length; i += 1) {
    mean[i % dimension] = (mean[i % dimension] as number) + (vectors[i] as number) / count;
  }
  return vectors.map((value, i) => value - (mean[i % dimension] as number));
}

function normaliseRows(vectors: Float32Array, dimension: number): void {
  for (let from = 0; from < vectors.length; from += dimension) {
    const row = vectors.subarray(from, from + dimension);
    const length = Math.sqrt(row.reduce((squares, value) => squares + value * value, 0));
    for (let i = 0; i < dimension; i += 1) row[i] = length > 0 ? (row[i] as number) / length : 0;
  }
}
