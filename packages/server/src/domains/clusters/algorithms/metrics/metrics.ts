import { centroidOf } from '../centroid.ts';
import { createRandom, sampleRows } from '../random.ts';
import type { Metrics, MetricsTask } from '../task.ts';
import { dbcvScores } from './dbcv.ts';
import { computeDistances } from './distances.ts';
import { meanSilhouettes } from './silhouette.ts';

/** More take quadratically longer, and tell the same. */
const pointsMax = 5_000;
/** Of a cluster there are so many points in any case. */
const pointsMin = 2;

/**
 * Silhouette, DBCV and cohesion of each cluster, on the embeddings with their Euclidean distance.
 * Beyond 5,000 points in all, silhouette and DBCV come from a sample, of which each cluster has as
 * many points as any other, or all of its own; of more than 2,500 clusters the first have them.
 */
export function computeClusterMetrics(
  task: Omit<MetricsTask, 'kind'>,
  sampleMax = pointsMax,
): Metrics[] {
  const { members, vectors, dimension } = task;
  const random = createRandom(task.seed);
  // The matrix of all distances is what takes room: of more clusters the first are compared.
  const compared = members.slice(0, Math.floor(sampleMax / pointsMin));
  const most = sampleSizePerCluster(
    compared.map((rows) => rows.length),
    sampleMax,
  );
  const drawn = compared.map((rows) =>
    sampleRows(rows.length, most, random).map((place) => rows[place] as number),
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

/** How many points of each cluster there is room for, small ones leaving theirs to the others. */
function sampleSizePerCluster(sizes: readonly number[], sampleMax: number): number {
  let [room, left] = [sampleMax, sizes.length];
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size * left > room) return Math.max(pointsMin, Math.floor(room / left));
    room -= size;
    left -= 1;
  }
  return sampleMax;
}
