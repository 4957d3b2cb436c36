import type { DotProductHelper } from './chunk-task.ts';
import {
  chunkRows,
  chunksOffset,
  createDotMemory,
  type DotProgram,
  dimensionsMax,
  instantiateDots,
  outputOffset,
  pageBytes,
  productBytes,
  queryOffset,
  strideOf,
} from './dot-program.ts';

const queryMagnitude = 2_047;
/** Freed memory that is kept for further accounts in any case. */
const freeBytesKept = 4 * 2 ** 20;

/**
 * Memory for the vectors of all accounts of a thread, in chunks of 32 rows of signed bytes: small
 * accounts cost little, and the chunks of an evicted account are reused. If more than half of the
 * memory is free, the rest moves to new memory: other threads may need it.
 */
export class VectorArena {
  readonly #stride: number;
  /** Of a chunk of 32 rows. */
  readonly chunkBytes: number;
  readonly #free: number[] = [];
  /** The chunks in use, by their owner. */
  readonly #lists = new Set<number[]>();
  readonly #helper: DotProductHelper | null;
  #memory = createDotMemory();
  #program: DotProgram = instantiateDots(this.#memory);
  #end = chunksOffset;
  /** For the products of so many chunks. */
  #reserved = { first: 0, room: 0 };
  #bytes = new Int8Array(this.#memory.buffer);
  #floats = new Float32Array(this.#memory.buffer);

  /**
   * @param dimensions at most 4,096
   * @param helper takes part in the dot products of many rows
   */
  constructor(dimensions: number, helper: DotProductHelper | null = null) {
    if (dimensions > dimensionsMax)
      throw new RangeError(`vectors have at most ${dimensionsMax} dimensions`);
    this.#stride = strideOf(dimensions);
    this.chunkBytes = chunkRows * this.#stride;
    this.#helper = helper;
  }

  /** Including what is free. */
  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** Adds a chunk to the list of an owner, which changes when the chunks move. */
  allocate(list: number[]): void {
    this.#lists.add(list);
    const freed = this.#free.pop();
    if (freed !== undefined) this.#bytes.fill(0, freed, freed + this.chunkBytes);
    // New memory is zero.
    list.push(freed ?? this.#append(this.chunkBytes));
  }

  /** Frees all chunks of a list. */
  free(list: number[]): void {
    this.#lists.delete(list);
    for (const chunk of list.splice(0)) this.#free.push(chunk);
    const freeBytes = this.#free.length * this.chunkBytes;
    if (freeBytes > Math.max(freeBytesKept, this.#end / 2)) this.#compact();
  }

  /** It is used no more. */
  close(): void {
    this.#helper?.forget(this.#memory);
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
    const query = new Int16Array(this.#memory.buffer, queryOffset, this.#stride).fill(0);
    if (largest === 0) return 0;
    const scale = queryMagnitude / largest;
    for (let i = 0; i < vector.length; i += 1) query[i] = Math.round((vector[i] as number) * scale);
    return 1 / scale;
  }

  /** Has the dot products of `computeChunk` and `beginChunks`. */
  get products(): Float32Array {
    return this.#floats;
  }

  /**
   * Computes the dot products of a chunk's rows with the query. Returns where they are in
   * `products`, until the next call.
   */
  computeChunk(chunk: number): number {
    this.#program.dots(queryOffset, chunk, outputOffset, chunkRows, this.#stride);
    return outputOffset / 4;
  }

  /**
   * Begins to compute those of many chunks in another thread, too. What is returned computes the
   * rest, waits for the others, and returns where they are in `products`, one after the other;
   * until then, the query must stay. Null: the caller computes each chunk itself.
   */
  beginChunks(chunks: readonly number[]): (() => number) | null {
    if (!this.#helper?.canTake(chunks.length)) return null;
    const products = this.#reserveProducts(chunks.length);
    const task = {
      memory: this.#memory,
      program: this.#program,
      stride: this.#stride,
      products,
    };
    const finish = this.#helper.begin(task, chunks);
    if (finish === null) return null;
    return () => {
      finish();
      return products / 4;
    };
  }

  /** Returns where the products of so many chunks go. They are kept for the next search. */
  #reserveProducts(chunks: number): number {
    const { first, room } = this.#reserved;
    if (chunks <= room) return first;
    this.#releaseProducts();
    const wanted = Math.ceil((chunks * 1.25 * productBytes) / this.chunkBytes) * this.chunkBytes;
    const reserved = { first: this.#append(wanted), room: Math.floor(wanted / productBytes) };
    this.#reserved = reserved;
    return reserved.first;
  }

  /** Makes chunks of them. */
  #releaseProducts(): void {
    const { first, room } = this.#reserved;
    const count = Math.ceil((room * productBytes) / this.chunkBytes);
    for (let i = 0; i < count; i += 1) this.#free.push(first + i * this.chunkBytes);
    this.#reserved = { first: 0, room: 0 };
  }

  rowDotProduct(chunk: number, row: number): number {
    const from = chunk + row * this.#stride;
    this.#program.dots(queryOffset, from, outputOffset, 1, this.#stride);
    return this.#floats[outputOffset / 4] as number;
  }

  /** Returns where the new memory begins. */
  #append(bytes: number): number {
    const start = this.#end;
    this.#end += bytes;
    const { byteLength } = this.#memory.buffer;
    const short = this.#end - byteLength;
    if (short > 0) {
      // An eighth more than needed, so that it grows less often.
      this.#memory.grow(Math.ceil((short + byteLength / 8) / pageBytes));
      this.#viewMemory();
    }
    return start;
  }

  #viewMemory(): void {
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** The memory of WebAssembly never shrinks: what is used is copied. */
  #compact(): void {
    const former = this.#bytes;
    const lists = [...this.#lists];
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    this.#helper?.forget(this.#memory);
    this.#memory = createDotMemory();
    this.#program = instantiateDots(this.#memory);
    this.#viewMemory();
    this.#free.length = 0;
    this.#reserved = { first: 0, room: 0 };
    this.#end = chunksOffset;
    let next = this.#append(count * this.chunkBytes);
    for (const list of lists) {
      for (const [i, chunk] of list.entries()) {
        this.#bytes.set(former.subarray(chunk, chunk + this.chunkBytes), next);
        list[i] = next;
        next += this.chunkBytes;
      }
    }
  }
}
