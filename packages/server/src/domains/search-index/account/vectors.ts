import { readFileSync } from 'node:fs';

/** Exports of assets/dots/dots.wat, which documents them. */
interface Dots {
  readonly memory: WebAssemblyMemory;
  dots(query: number, rows: number, out: number, count: number, stride: number): void;
}

const compiled = new WebAssembly.Module(
  readFileSync(new URL('../../../../assets/dots/dots.wasm', import.meta.url)),
);

const createDots = (): Dots => new WebAssembly.Instance(compiled).exports as unknown as Dots;

const chunkRows = 32;
/** Sums over 4,096 dimensions stay below 2^31 with 12-bit queries. */
const dimensionsMax = 4_096;
const queryMagnitude = 2_047;
const queryOffset = 0;
const outputOffset = dimensionsMax * 2;
const chunksOffset = outputOffset + chunkRows * 4 + 256;
const pageBytes = 65_536;
/** Freed memory that is kept for further accounts in any case. */
const freeBytesKept = 4 * 2 ** 20;

/**
 * Memory for the vectors of all accounts of a thread, in chunks of 32 rows of signed bytes: small
 * accounts cost little, and the chunks of an evicted account are reused. If more than half of the
 * memory is free, the rest moves to new memory: other threads may need it.
 */
export class VectorArena {
  readonly #stride: number;
  readonly #chunkBytes: number;
  readonly #free: number[] = [];
  /** The chunks in use, by their owner. */
  readonly #lists = new Set<number[]>();
  #dots: Dots;
  #end = chunksOffset;
  #bytes: Int8Array;
  #out: Float32Array;

  /** @param dimensions at most 4,096 */
  constructor(dimensions: number) {
    if (dimensions > dimensionsMax)
      throw new RangeError(`vectors have at most ${dimensionsMax} dimensions`);
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#chunkBytes = chunkRows * this.#stride;
    this.#dots = createDots();
    this.#bytes = new Int8Array(this.#dots.memory.buffer);
    this.#out = new Float32Array(this.#dots.memory.buffer, outputOffset, chunkRows);
  }

  /** Including what is free. */
  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** Adds a chunk to the list of an owner, which changes when the chunks move. */
  allocate(list: number[]): void {
    this.#lists.add(list);
    const freed = this.#free.pop();
    if (freed !== undefined) this.#bytes.fill(0, freed, freed + this.#chunkBytes);
    // New memory is zero.
    list.push(freed ?? this.#append(this.#chunkBytes));
  }

  /** Frees all chunks of a list. */
  free(list: number[]): void {
    this.#lists.delete(list);
    for (const chunk of list.splice(0)) this.#free.push(chunk);
    const freeBytes = this.#free.length * this.#chunkBytes;
    if (freeBytes > Math.max(freeBytesKept, this.#end / 2)) this.#compact();
  }

  setRow(chunk: number, row: number, values: Int8Array): void {
    const from = chunk + row * this.#stride;
    this.#bytes.fill(0, from, from + this.#stride);
    this.#bytes.set(values, from);
  }

  /** Sets consecutive rows of a chunk, whose vectors lie one after the other. */
  setRows(chunk: number, row: number, values: Int8Array, dimensions: number): void {
    const from = chunk + row * this.#stride;
    if (dimensions === this.#stride) {
      this.#bytes.set(values, from);
      return;
    }
    for (let at = 0; at < values.length; at += dimensions) {
      const to = from + (at / dimensions) * this.#stride;
      this.#bytes.set(values.subarray(at, at + dimensions), to);
    }
  }

  row(chunk: number, row: number, dimensions: number): Int8Array {
    const from = chunk + row * this.#stride;
    return this.#bytes.subarray(from, from + dimensions);
  }

  /** Sets the query; returns the factor that scales the dot products. */
  setQuery(vector: ArrayLike<number>): number {
    let largest = 0;
    for (let i = 0; i < vector.length; i += 1) {
      largest = Math.max(largest, Math.abs(vector[i] as number));
    }
    const query = new Int16Array(this.#dots.memory.buffer, queryOffset, this.#stride).fill(0);
    if (largest === 0) return 0;
    const scale = queryMagnitude / largest;
    for (let i = 0; i < vector.length; i += 1) query[i] = Math.round((vector[i] as number) * scale);
    return 1 / scale;
  }

  /** Dot products of a chunk's rows; valid until the next call. */
  chunkDotProducts(chunk: number): Float32Array {
    this.#dots.dots(queryOffset, chunk, outputOffset, chunkRows, this.#stride);
    return this.#out;
  }

  rowDotProduct(chunk: number, row: number): number {
    this.#dots.dots(queryOffset, chunk + row * this.#stride, outputOffset, 1, this.#stride);
    return this.#out[0] as number;
  }

  /** Returns where the new memory begins. */
  #append(bytes: number): number {
    const start = this.#end;
    this.#end += bytes;
    const { memory } = this.#dots;
    const short = this.#end - memory.buffer.byteLength;
    if (short > 0) {
      // An eighth more than needed, so that it grows less often.
      memory.grow(Math.ceil((short + memory.buffer.byteLength / 8) / pageBytes));
      this.#bytes = new Int8Array(memory.buffer);
      this.#out = new Float32Array(memory.buffer, outputOffset, chunkRows);
    }
    return start;
  }

  /** The memory of WebAssembly never shrinks: what is used is copied. */
  #compact(): void {
    const former = this.#bytes;
    const lists = [...this.#lists];
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    this.#dots = createDots();
    this.#bytes = new Int8Array(this.#dots.memory.buffer);
    this.#out = new Float32Array(this.#dots.memory.buffer, outputOffset, chunkRows);
    this.#free.length = 0;
    this.#end = chunksOffset;
    let next = this.#append(count * this.#chunkBytes);
    for (const list of lists) {
      for (const [i, chunk] of list.entries()) {
        this.#bytes.set(former.subarray(chunk, chunk + this.#chunkBytes), next);
        list[i] = next;
        next += this.#chunkBytes;
      }
    }
  }
}

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
    for (const [offset, chunk] of this.#chunks.entries()) {
      const raw = this.#arena.chunkDotProducts(chunk);
      const from = offset * chunkRows;
      const end = Math.min(from + chunkRows, rows);
      for (let row = from; row < end; row += 1) {
        out[row] = (raw[row - from] as number) * scale * (inverseNorms[row] as number);
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
   * Fills `out` with the cosines of the query and each row, both minus the scope's mean; 0 without
   * a vector. In one pass: the arrays of a large account do not stay in the caches.
   * @param numbers of the rows to compute; null: all, as far as the arrays are long
   */
  cosines(
    query: CentredQuery,
    { inverseNorms, centred }: RowLengths,
    numbers: Int32Array | null,
    out: Float32Array,
  ): void {
    const scale = this.#arena.setQuery(query.vector);
    const { length, meanDot } = query;
    if (numbers !== null) {
      for (const number of numbers) {
        const chunk = this.#chunks[Math.floor(number / chunkRows)] as number;
        const raw = this.#arena.rowDotProduct(chunk, number % chunkRows);
        const inverse = inverseNorms[number] as number;
        const below = length * (centred[number] as number);
        const product = Math.fround(raw * scale * inverse);
        out[number] = inverse > 0 && below > 0 ? (product - meanDot) / below : 0;
      }
      return;
    }
    const rows = Math.min(out.length, inverseNorms.length, centred.length);
    for (let i = 0; i < this.#chunks.length; i += 1) {
      const raw = this.#arena.chunkDotProducts(this.#chunks[i] as number);
      const from = i * chunkRows;
      const end = Math.min(from + chunkRows, rows);
      for (let row = from; row < end; row += 1) {
        const inverse = inverseNorms[row] as number;
        const below = length * (centred[row] as number);
        const product = Math.fround((raw[row - from] as number) * scale * inverse);
        out[row] = inverse > 0 && below > 0 ? (product - meanDot) / below : 0;
      }
    }
  }

  free(): void {
    this.#arena.free(this.#chunks);
  }
}
