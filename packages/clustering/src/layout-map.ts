import { canonicalOrder, rowsOf } from './cluster-vectors.ts';
import { nearestToExtraRows } from './nearest-to-extra-rows.ts';
import { placeAmongNeighbours, placingNeighbours } from './place-among-neighbours.ts';
import { createRandom, type Random, sampleRows } from './random.ts';
import { buildFuzzyGraph } from './reduction/fuzzy-graph.ts';
import { optimiseLayout, spread } from './reduction/layout.ts';
import { nearestNeighbours } from './reduction/neighbours.ts';
import { principalCoordinates } from './reduction/principal-coordinates.ts';
import { centreRows, epochsOf, subtractMean } from './reduction/reduce.ts';
import type { ClusterTask } from './task.ts';
import { rowsPerBlock, VectorBlocks } from './vector-blocks.ts';

type MapTask = Pick<ClusterTask, 'vectors' | 'dimension' | 'texts' | 'seed'>;

const neighbours = 15;
/** Above this, a sample is laid out and the other rows are placed among it. */
const laidOutMax = 20_000;
/** Below this, there are too few neighbours: the map has the principal coordinates. */
const graphMin = 16;
/** The largest absolute coordinate of a map. */
const extent = 1;

/**
 * A map of unit vectors in two dimensions, on which similar ones are close: x and y of each row,
 * from -1 to 1. UMAP (McInnes, Healy and Melville 2018) with 15 neighbours and min_dist 0.1,
 * initialised with the principal coordinates. Of more than 20,000 rows a sample is laid out, and
 * the others are placed among their nearest neighbours in it. Deterministic; the order of the rows
 * does not affect it.
 */
export function layoutMap(
  task: MapTask,
  onProgress: (share: number) => void,
  sampleMax = laidOutMax,
): Float32Array<ArrayBuffer> {
  const { vectors, dimension, seed } = task;
  const order = canonicalOrder(task);
  const random = createRandom(seed);
  const drawn = sampleRows(order.length, sampleMax, random).map((i) => order[i] as number);
  const sample = rowsOf(task, drawn);
  const share = drawn.length === order.length ? 1 : 0.6;
  const laidOut = layOut(sample, dimension, random, (done) => onProgress(share * done));
  const places = new Float32Array(2 * order.length);
  for (const [i, row] of drawn.entries()) places.set(laidOut.subarray(2 * i, 2 * i + 2), 2 * row);
  if (share < 1) {
    const isDrawn = new Set(drawn);
    const others = order.filter((row) => !isDrawn.has(row));
    const blocks = new VectorBlocks(sample, dimension);
    for (let from = 0; from < others.length; from += rowsPerBlock) {
      const batch = others.subarray(from, from + rowsPerBlock);
      placeBatch(blocks, vectors, batch, laidOut, places);
      onProgress(share + (1 - share) * ((from + batch.length) / others.length));
    }
  }
  return places;
}

/** Places each of the rows among those that are laid out. */
function placeBatch(
  blocks: VectorBlocks,
  vectors: Float32Array,
  batch: Uint32Array,
  laidOut: Float32Array,
  places: Float32Array,
): void {
  const { rows, squares } = nearestToExtraRows(blocks, vectors, batch, placingNeighbours);
  for (const [i, row] of batch.entries()) {
    const first = i * placingNeighbours;
    const nearest = Array.from(rows.subarray(first, first + placingNeighbours), (near, j) => ({
      x: laidOut[2 * near] as number,
      y: laidOut[2 * near + 1] as number,
      distance: Math.sqrt(squares[first + j] as number),
    })).filter((_, j) => (rows[first + j] as number) >= 0);
    const place = placeAmongNeighbours(nearest);
    if (place) places.set([place.x, place.y], 2 * row);
  }
}

function layOut(
  vectors: Float32Array,
  dimension: number,
  random: Random,
  onProgress: (share: number) => void,
): Float32Array {
  const count = vectors.length / dimension;
  const centred = subtractMean(vectors, dimension);
  const points = principalCoordinates(centred, dimension, 2, random);
  if (count >= graphMin) {
    const nearest = nearestNeighbours(
      new VectorBlocks(centreRows(vectors, dimension), dimension),
      neighbours,
      (share) => onProgress(0.6 * share),
    );
    optimiseLayout(points, buildFuzzyGraph(nearest), {
      dimension: 2,
      curve: spread,
      epochs: epochsOf(count),
      random,
      onProgress: (share) => onProgress(0.6 + 0.4 * share),
    });
  }
  fitToExtent(points);
  onProgress(1);
  return points;
}

/** Moves the middle of the points to 0, and scales the farther axis to the extent. */
function fitToExtent(points: Float32Array): void {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, value] of points.entries()) {
    low[i % 2] = Math.min(low[i % 2] as number, value);
    high[i % 2] = Math.max(high[i % 2] as number, value);
  }
  const middle = low.map((value, axis) => (value + (high[axis] as number)) / 2);
  const reach = Math.max(...high.map((value, axis) => value - (middle[axis] as number)));
  for (const [i, value] of points.entries()) {
    const moved = value - (middle[i % 2] as number);
    points[i] = reach > 0 ? (extent * moved) / reach : 0;
  }
}
