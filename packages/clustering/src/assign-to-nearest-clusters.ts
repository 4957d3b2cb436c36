import { nearestToExtraRows } from './nearest-to-extra-rows.ts';
import type { Partition } from './partition.ts';
import { rowsPerBlock, type VectorBlocks } from './vector-blocks.ts';

const voters = 10;

/**
 * Assigns each extra row to the cluster of more than half of its ten nearest clustered rows, where
 * noise is a candidate, too; its strength is their mean.
 * @param clustered the rows that `partition` labels
 * @param vectors of unit length, row after row, which contain the extra rows
 * @returns labels and strengths of the extra rows
 */
export function assignToNearestClusters(
  clustered: VectorBlocks,
  partition: Partition,
  vectors: Float32Array,
  extraRows: Uint32Array,
  onProgress: (share: number) => void,
): Partition {
  const labels = new Int32Array(extraRows.length).fill(-1);
  const probabilities = new Float32Array(extraRows.length);
  for (let first = 0; first < extraRows.length; first += rowsPerBlock) {
    const batch = extraRows.subarray(first, first + rowsPerBlock);
    const { rows: nearest } = nearestToExtraRows(clustered, vectors, batch, voters);
    for (let i = 0; i < batch.length; i += 1) {
      const rows = nearest.subarray(i * voters, (i + 1) * voters);
      const [label, strength] = majorityVote(rows, partition);
      labels[first + i] = label;
      probabilities[first + i] = strength;
    }
    onProgress((first + batch.length) / extraRows.length);
  }
  return { labels, probabilities };
}

function majorityVote(rows: Int32Array, { labels, probabilities }: Partition): [number, number] {
  const votes = new Map<number, { count: number; strength: number }>();
  let all = 0;
  for (const row of rows) {
    if (row < 0) continue;
    all += 1;
    const label = labels[row] as number;
    const { count, strength } = votes.get(label) ?? { count: 0, strength: 0 };
    votes.set(label, { count: count + 1, strength: strength + (probabilities[row] as number) });
  }
  for (const [label, { count, strength }] of votes) {
    if (label >= 0 && 2 * count > all) return [label, strength / count];
  }
  return [-1, 0];
}
