import { centroidOf } from '../centroid.ts';
import { createRandom, sampleRows } from '../random.ts';
import type { ClusterMetrics, ClusterMetricsTask } from '../task.ts';
import { dbcvScores } from './dbcv.ts';
import { computeDistances } from './distance-matrix.ts';
import { meanSilhouettes } from './silhouette.ts';

/** Computation time grows quadratically, and more points give the same scores. */
const pointsMax = 5_000;
/** Minimum number of points per cluster. */
const pointsMin = 2;

/**
 * Silhouette, DBCV and cohesion of each cluster, on the embeddings with Euclidean distance. Above
 * 5,000 points in total, silhouette and DBCV are computed from a sample with equally many points
 * per cluster, or all points of smaller clusters; of more than 2,500 clusters only the first have
 * them.
 */
export function computeClusterMetrics(
  task: ClusterMetricsTask,
  sampleMax = pointsMax,
): ClusterMetrics[] {
  const { members, vectors, dimension } = task;
  const random = createRandom(task.seed);
  // The distance matrix limits the memory: of more clusters only the first are compared.
  const compared = members.slice(0, Math.floor(sampleMax / pointsMin));
  const limit = sampleSizePerCluster(
    compared.map((rows) => rows.length),
    sampleMax,
  );
  const drawn = compared.map((rows) =>
    sampleRows(rows.length, limit, random).map((index) => rows[index] as number),
  );
  const rows = drawn.flatMap((some) => [...some]);
  const sample = new Float32Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) {
    sample.set(vectors.subarray(row * dimension, (row + 1) * dimension), i * dimension);
  }
  const labels = Int32Array.from(drawn.flatMap((some, cluster) => [...some].map(() => cluster)));
  const distances = computeDistances(sample, dimension);
  const silhouette = meanSilhouettes(distances, labels, compared.length);
  const dbcv = dbcvScores(distances, labels, compared.length, dimension);
  return members.map((own, cluster) => ({
    silhouette: finiteOrNull(silhouette[cluster]),
    dbcv: finiteOrNull(dbcv[cluster]),
    cohesion: centroidOf(vectors, dimension, own).cohesion,
  }));
}

const finiteOrNull = (value = Number.NaN): number | null => (Number.isFinite(value) ? value : null);

/**
 * The number of sampled points per cluster; capacity that small clusters do not use goes to the
 * others.
 */
function sampleSizePerCluster(sizes: readonly number[], sampleMax: number): number {
  let [capacity, remaining] = [sampleMax, sizes.length];
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size * remaining > capacity) return Math.max(pointsMin, Math.floor(capacity / remaining));
    capacity -= size;
    remaining -= 1;
  }
  return sampleMax;
}
