import type { VectorArena } from './arena.ts';
import { chunkRows } from './dot-program.ts';

/** A query minus the scope's mean vector. */
export interface CentredQuery {
  readonly vector: Float32Array;
  readonly length: number;
  /** Its dot product with the mean. */
  readonly meanDot: number;
}

interface RowLengths {
  /** 1 / the length of each row; 0: there is none. */
  readonly inverseNorms: Float32Array;
  /** The length of each unit vector minus the scope's mean. */
  readonly centred: Float32Array;
}

/** One account's vectors, by document number. */
export class Vectors {
  readonly #arena: VectorArena;
  readonly #dimensions: number;
  readonly #chunks: number[] = [];

  constructor(arena: VectorArena, dimensions: number) {
    this.#arena = arena;
    this.#dimensions = dimensions;
  }

  get byteLength(): number {
    return this.#chunks.length * this.#arena.chunkBytes;
  }

  /** Stores a vector; returns 1 / its length, 0 where there is none. */
  set(number: number, bytes: Uint8Array | null): number {
    const chunk = Math.floor(number / chunkRows);
    while (this.#chunks.length <= chunk) this.#arena.allocate(this.#chunks);
    if (bytes?.length !== this.#dimensions) return 0;
    const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#arena.setRow(this.#chunks[chunk] as number, number % chunkRows, values);
    let squares = 0;
    for (const value of values) squares += value * value;
    return squares > 0 ? 1 / Math.sqrt(squares) : 0;
  }

  /** Stores vectors of consecutive new numbers, one after the other. */
  addAll(first: number, bytes: Int8Array): void {
    const count = bytes.length / this.#dimensions;
    for (let i = 0; i < count; ) {
      const row = (first + i) % chunkRows;
      const chunk = (first + i - row) / chunkRows;
      while (this.#chunks.length <= chunk) this.#arena.allocate(this.#chunks);
      const rows = Math.min(chunkRows - row, count - i);
      const values = bytes.subarray(i * this.#dimensions, (i + rows) * this.#dimensions);
      this.#arena.setRows(this.#chunks[chunk] as number, row, values, this.#dimensions);
      i += rows;
    }
  }

  /** The bytes of a document's vector: a view that must be read at once. */
  get(number: number): Int8Array {
    const chunk = this.#chunks[Math.floor(number / chunkRows)] as number;
    return this.#arena.row(chunk, number % chunkRows, this.#dimensions);
  }

  /** Fills `out` with query · row / |row| for all documents, as far as it is long. */
  dotProducts(query: ArrayLike<number>, inverseNorms: Float32Array, out: Float32Array): void {
    const scale = this.#arena.setQuery(query);
    const rows = Math.min(out.length, inverseNorms.length);
    const { products } = this.#arena;
    for (const [offset, chunk] of this.#chunks.entries()) {
      const from = offset * chunkRows;
      const shift = this.#arena.computeChunk(chunk) - from;
      const end = Math.min(from + chunkRows, rows);
      for (let row = from; row < end; row += 1) {
        out[row] = (products[row + shift] as number) * scale * (inverseNorms[row] as number);
      }
    }
  }

  /** As `dotProducts`, for the listed documents only. */
  dotProductsFor(
    query: ArrayLike<number>,
    inverseNorms: Float32Array,
    numbers: Int32Array,
    out: Float32Array,
  ): void {
    const scale = this.#arena.setQuery(query);
    for (const number of numbers) {
      const chunk = this.#chunks[Math.floor(number / chunkRows)] as number;
      const raw = this.#arena.rowDotProduct(chunk, number % chunkRows);
      out[number] = raw * scale * (inverseNorms[number] as number);
    }
  }

  /**
   * Fills `out` with the cosines of the query and the listed rows, both minus the scope's mean; 0
   * without a vector.
   */
  cosinesOf(
    query: CentredQuery,
    { inverseNorms, centred }: RowLengths,
    numbers: Int32Array,
    out: Float32Array,
  ): void {
    const scale = this.#arena.setQuery(query.vector);
    const { length, meanDot } = query;
    for (const number of numbers) {
      const chunk = this.#chunks[Math.floor(number / chunkRows)] as number;
      const raw = this.#arena.rowDotProduct(chunk, number % chunkRows);
      const inverse = inverseNorms[number] as number;
      const below = length * (centred[number] as number);
      const product = Math.fround(raw * scale * inverse);
      out[number] = inverse > 0 && below > 0 ? (product - meanDot) / below : 0;
    }
  }

  /**
   * Begins `cosinesOf` for all rows, as far as the arrays are long; what is returned fills `out`.
   * Until then, another thread may compute, and the arena must not be used. In one pass: the arrays
   * of a large account do not stay in the caches.
   */
  beginCosines(
    query: CentredQuery,
    { inverseNorms, centred }: RowLengths,
    out: Float32Array,
  ): () => void {
    const arena = this.#arena;
    const scale = arena.setQuery(query.vector);
    const finish = arena.beginChunks(this.#chunks);
    return () => {
      const first = finish?.() ?? null;
      const { products } = arena;
      const { length, meanDot } = query;
      const rows = Math.min(out.length, inverseNorms.length, centred.length);
      for (let i = 0; i < this.#chunks.length; i += 1) {
        const chunk = this.#chunks[i] as number;
        const from = i * chunkRows;
        const shift = first ?? arena.computeChunk(chunk) - from;
        const end = Math.min(from + chunkRows, rows);
        for (let row = from; row < end; row += 1) {
          const inverse = inverseNorms[row] as number;
          const below = length * (centred[row] as number);
          const product = Math.fround((products[row + shift] as number) * scale * inverse);
          out[row] = inverse > 0 && below > 0 ? (product - meanDot) / below : 0;
        }
      }
    };
  }

  free(): void {
    this.#arena.free(this.#chunks);
  }
}
