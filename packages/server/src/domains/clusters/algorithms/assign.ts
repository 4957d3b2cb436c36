import type { Partition } from './partition.ts';
import { blockRows, type RowBlocks } from './row-blocks.ts';

const voters = 10;

/**
 * Gives each guest the cluster that more than half of the ten nearest clustered rows are of, noise
 * being one of the candidates; its strength is theirs in the mean.
 * @param clustered the rows that `partition` is of
 * @param vectors of unit length, row after row, of which `guests` are some rows
 * @returns labels and strengths by guest
 */
export function assignByNearest(
  clustered: RowBlocks,
  partition: Partition,
  vectors: Float32Array,
  guests: Uint32Array,
  onProgress: (share: number) => void,
): Partition {
  const labels = new Int32Array(guests.length).fill(-1);
  const probabilities = new Float32Array(guests.length);
  for (let first = 0; first < guests.length; first += blockRows) {
    const some = guests.subarray(first, first + blockRows);
    const nearest = nearestOf(clustered, clustered.setExtraRows(vectors, some));
    for (let i = 0; i < some.length; i += 1) {
      const rows = nearest.subarray(i * voters, (i + 1) * voters);
      const [label, strength] = majorityVote(rows, partition);
      labels[first + i] = label;
      probabilities[first + i] = strength;
    }
    onProgress((first + some.length) / guests.length);
  }
  return { labels, probabilities };
}

/** Of each row of the guest block, the nearest clustered rows; -1 where there are too few. */
function nearestOf(clustered: RowBlocks, guests: number): Int32Array {
  const rows = new Int32Array(blockRows * voters).fill(-1);
  const nearest = new Float32Array(blockRows * voters).fill(Number.POSITIVE_INFINITY);
  for (let block = 0; block < clustered.blocks; block += 1) {
    const squares = clustered.squares(guests, block);
    const first = block * blockRows;
    const columns = Math.min(blockRows, clustered.count - first);
    for (let i = 0; i < blockRows; i += 1) {
      const last = (i + 1) * voters - 1;
      for (let j = 0; j < columns; j += 1) {
        const square = squares[i * blockRows + j] as number;
        if (square >= (nearest[last] as number)) continue;
        let place = last;
        for (; place > i * voters && (nearest[place - 1] as number) > square; place -= 1) {
          nearest[place] = nearest[place - 1] as number;
          rows[place] = rows[place - 1] as number;
        }
        nearest[place] = square;
        rows[place] = first + j;
      }
    }
  }
  return rows;
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
