import { rowsPerBlock, type VectorBlocks } from './vector-blocks.ts';

interface NearestRows {
  /** `k` entries per extra row, the nearest first; -1 where there are too few. */
  readonly rows: Int32Array;
  /** Their squared distances. */
  readonly squares: Float32Array;
}

/**
 * The nearest rows of each extra row, exact.
 * @param vectors of unit length, row after row, which contain the extra rows
 * @param extraRows at most 64
 */
export function nearestToExtraRows(
  blocks: VectorBlocks,
  vectors: Float32Array,
  extraRows: Uint32Array,
  k: number,
): NearestRows {
  const extraBlock = blocks.setExtraRows(vectors, extraRows);
  const rows = new Int32Array(rowsPerBlock * k).fill(-1);
  const nearest = new Float32Array(rowsPerBlock * k).fill(Number.POSITIVE_INFINITY);
  for (let block = 0; block < blocks.blocks; block += 1) {
    const squares = blocks.squares(extraBlock, block);
    const first = block * rowsPerBlock;
    const columns = Math.min(rowsPerBlock, blocks.count - first);
    for (let i = 0; i < extraRows.length; i += 1) {
      const last = (i + 1) * k - 1;
      for (let j = 0; j < columns; j += 1) {
        const square = squares[i * rowsPerBlock + j] as number;
        if (square >= (nearest[last] as number)) continue;
        let index = last;
        for (; index > i * k && (nearest[index - 1] as number) > square; index -= 1) {
          nearest[index] = nearest[index - 1] as number;
          rows[index] = rows[index - 1] as number;
        }
        nearest[index] = square;
        rows[index] = first + j;
      }
    }
  }
  return { rows, squares: nearest };
}
