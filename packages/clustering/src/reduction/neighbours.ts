import { rowsPerBlock, type VectorBlocks } from '../vector-blocks.ts';

/** The nearest other rows of each row, nearest first: `k` entries per row. */
export interface Neighbours {
  readonly k: number;
  readonly rows: Int32Array;
  readonly distances: Float32Array;
}

/** Receives the completed share. */
type ProgressCallback = (share: number) => void;

/** Exact: evaluates every pair once. @param k less than the number of rows */
export function nearestNeighbours(
  blocks: VectorBlocks,
  k: number,
  onProgress: ProgressCallback,
): Neighbours {
  const { count } = blocks;
  const rows = new Int32Array(count * k).fill(-1);
  const distances = new Float32Array(count * k).fill(Number.POSITIVE_INFINITY);
  const nearest = { k, rows, distances };
  for (let a = 0; a < blocks.blocks; a += 1) {
    for (let b = 0; b <= a; b += 1) updateNeighbours(nearest, count, a, b, blocks.squares(a, b));
    onProgress(((a + 1) / blocks.blocks) ** 2);
  }
  for (let i = 0; i < distances.length; i += 1) distances[i] = Math.sqrt(distances[i] as number);
  return nearest;
}

function updateNeighbours(
  nearest: Neighbours,
  count: number,
  a: number,
  b: number,
  squares: Float32Array,
): void {
  const { k, distances } = nearest;
  const [aFrom, bFrom] = [a * rowsPerBlock, b * rowsPerBlock];
  const [aRows, bRows] = [
    Math.min(rowsPerBlock, count - aFrom),
    Math.min(rowsPerBlock, count - bFrom),
  ];
  for (let i = 0; i < aRows; i += 1) {
    const row = aFrom + i;
    const others = a === b ? i : bRows;
    for (let j = 0; j < others; j += 1) {
      const square = squares[i * rowsPerBlock + j] as number;
      const other = bFrom + j;
      if (square < (distances[row * k + k - 1] as number)) insert(nearest, row, other, square);
      if (square < (distances[other * k + k - 1] as number)) insert(nearest, other, row, square);
    }
  }
}

function insert({ k, rows, distances }: Neighbours, row: number, other: number, at: number): void {
  const first = row * k;
  let index = first + k - 1;
  while (index > first && (distances[index - 1] as number) > at) {
    distances[index] = distances[index - 1] as number;
    rows[index] = rows[index - 1] as number;
    index -= 1;
  }
  distances[index] = at;
  rows[index] = other;
}
