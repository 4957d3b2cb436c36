import { readFileSync } from 'node:fs';

/** Exports of assets/pairs.wat, which documents them. */
interface PairsModule {
  readonly memory: WebAssemblyMemory;
  pairs(a: number, b: number, out: number, count: number, stride: number): void;
}

const compiled = new WebAssembly.Module(
  readFileSync(new URL('../assets/pairs.wasm', import.meta.url)),
);

/** Rows per block; a multiple of four. */
export const rowsPerBlock = 64;
const outputOffset = 0;
const rowsOffset = rowsPerBlock * rowsPerBlock * 4;
const pageBytes = 65_536;
/** Unit vectors are stored as 15 bits and a sign: the error of a cosine is about 1e-5. */
const magnitude = 32_767;

/**
 * Unit vectors in blocks of 64, and the distances between blocks: sixteen million per second at 192
 * dimensions, ten times as many as in plain JavaScript.
 */
export class VectorBlocks {
  readonly count: number;
  readonly blocks: number;
  readonly #dimension: number;
  readonly #stride: number;
  readonly #program: PairsModule;
  /** Of the rounded vectors, so that equal rows have distance 0. */
  readonly #squares: Float32Array;
  readonly #products: Float32Array;
  readonly #distances = new Float32Array(rowsPerBlock * rowsPerBlock);

  /** @param vectors of unit length, or zeros, row after row */
  constructor(vectors: Float32Array, dimension: number) {
    this.count = vectors.length / dimension;
    this.blocks = Math.ceil(this.count / rowsPerBlock);
    this.#dimension = dimension;
    this.#stride = Math.ceil(dimension / 8) * 16;
    this.#program = new WebAssembly.Instance(compiled).exports as unknown as PairsModule;
    // One more block, for extra rows.
    const bytes = rowsOffset + (this.blocks + 1) * rowsPerBlock * this.#stride;
    const { memory } = this.#program;
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / pageBytes) + 1);
    this.#squares = new Float32Array((this.blocks + 1) * rowsPerBlock);
    this.#products = new Float32Array(memory.buffer, outputOffset, rowsPerBlock * rowsPerBlock);
    for (let block = 0; block < this.blocks; block += 1) {
      const first = block * rowsPerBlock;
      const rows = Math.min(rowsPerBlock, this.count - first);
      this.#fill(
        block,
        vectors,
        Array.from({ length: rows }, (_, i) => first + i),
      );
    }
  }

  /**
   * Squared Euclidean distances between the rows of two blocks: row i of `a` and row j of `b` at
   * 64·i + j. Valid until the next call; entries beyond the last row are undefined.
   */
  squares(a: number, b: number): Float32Array {
    const [rows, squares, products, out] = [
      rowsPerBlock * this.#stride,
      this.#squares,
      this.#products,
      this.#distances,
    ];
    this.#program.pairs(
      rowsOffset + a * rows,
      rowsOffset + b * rows,
      outputOffset,
      rowsPerBlock,
      this.#stride,
    );
    const scale = 1 / (magnitude * magnitude);
    for (let i = 0; i < rowsPerBlock; i += 1) {
      const square = squares[a * rowsPerBlock + i] as number;
      for (let j = 0; j < rowsPerBlock; j += 1) {
        const at = i * rowsPerBlock + j;
        const both = square + (squares[b * rowsPerBlock + j] as number);
        out[at] = Math.max(0, both - 2 * (products[at] as number)) * scale;
      }
    }
    return out;
  }

  /** Copies up to 64 rows of other vectors into an additional block; returns its number. */
  setExtraRows(vectors: Float32Array, rows: ArrayLike<number>): number {
    this.#fill(this.blocks, vectors, rows);
    return this.blocks;
  }

  #fill(block: number, vectors: Float32Array, rows: ArrayLike<number>): void {
    const [dimension, rowLength] = [this.#dimension, this.#stride / 2];
    const at = rowsOffset + block * rowsPerBlock * this.#stride;
    const values = new Int16Array(this.#program.memory.buffer, at, rowsPerBlock * rowLength).fill(
      0,
    );
    for (let i = 0; i < rows.length; i += 1) {
      const from = (rows[i] as number) * dimension;
      let square = 0;
      for (let j = 0; j < dimension; j += 1) {
        const value = Math.round((vectors[from + j] as number) * magnitude);
        values[i * rowLength + j] = value;
        square += value * value;
      }
      this.#squares[block * rowsPerBlock + i] = square;
    }
  }
}
