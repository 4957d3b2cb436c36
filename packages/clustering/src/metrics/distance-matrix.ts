import { rowsPerBlock, VectorBlocks } from '../vector-blocks.ts';

/** A symmetric matrix, row after row. */
export interface DistanceMatrix {
  readonly count: number;
  readonly values: Float32Array;
}

/** Euclidean distances of unit vectors; four bytes per pair, in both directions. */
export function computeDistances(vectors: Float32Array, dimension: number): DistanceMatrix {
  const blocks = new VectorBlocks(vectors, dimension);
  const { count } = blocks;
  const values = new Float32Array(count * count);
  for (let a = 0; a < blocks.blocks; a += 1) {
    for (let b = 0; b < blocks.blocks; b += 1) {
      const squares = blocks.squares(a, b);
      const columns = Math.min(rowsPerBlock, count - b * rowsPerBlock);
      for (let i = a * rowsPerBlock; i < Math.min((a + 1) * rowsPerBlock, count); i += 1) {
        const from = (i - a * rowsPerBlock) * rowsPerBlock;
        for (let j = 0; j < columns; j += 1) {
          values[i * count + b * rowsPerBlock + j] = Math.sqrt(squares[from + j] as number);
        }
      }
    }
  }
  return { count, values };
}
