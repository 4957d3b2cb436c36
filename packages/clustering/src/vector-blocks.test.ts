import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../tools/assemble-wasm.ts';
import { makePlantedVectors } from './planted-vectors.testing.ts';
import { rowsPerBlock, VectorBlocks } from './vector-blocks.ts';

const dimension = 21;

function square(a: Float32Array, i: number, b: Float32Array, j: number): number {
  let sum = 0;
  for (let k = 0; k < dimension; k += 1) {
    sum += ((a[i * dimension + k] ?? 0) - (b[j * dimension + k] ?? 0)) ** 2;
  }
  return sum;
}

describe('blocks of rows', () => {
  it('run the compiled program next to them', async () => {
    const stored = await readFile(new URL('../assets/pairs.wasm', import.meta.url));
    const source = new URL('../assets/pairs.wat', import.meta.url);
    expect(Buffer.from(await assembleWasm(source)).equals(stored)).toBe(true);
  });

  it('return the distances of plain arithmetic, for their own and extra rows', () => {
    const own = makePlantedVectors(150, 5, dimension, 1);
    const others = makePlantedVectors(40, 3, dimension, 2);
    const blocks = new VectorBlocks(own, dimension);
    expect(blocks.blocks).toBe(3);
    const within = blocks.squares(2, 0);
    for (let i = 0; i < 150 - 2 * rowsPerBlock; i += 1) {
      for (let j = 0; j < rowsPerBlock; j += 1) {
        const expected = square(own, 2 * rowsPerBlock + i, own, j);
        expect(Math.abs((within[i * rowsPerBlock + j] ?? 0) - expected)).toBeLessThan(3e-4);
      }
    }
    const extraRows = blocks.setExtraRows(others, [39, 7]);
    const between = blocks.squares(extraRows, 1);
    for (const [i, row] of [39, 7].entries()) {
      const expected = square(others, row, own, rowsPerBlock + 5);
      expect(Math.abs((between[i * rowsPerBlock + 5] ?? 0) - expected)).toBeLessThan(3e-4);
    }
  });

  it('put equal rows at distance 0', () => {
    const row = makePlantedVectors(1, 1, dimension, 3);
    const squares = new VectorBlocks(Float32Array.from([...row, ...row]), dimension).squares(0, 0);
    expect([squares[0], squares[1], squares[rowsPerBlock]]).toEqual([0, 0, 0]);
  });
});
