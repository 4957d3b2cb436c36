import { readFileSync } from 'node:fs';

/** Exports of assets/dots/dots.wat, which documents them. */
export interface DotProgram {
  dots(query: number, rows: number, out: number, count: number, stride: number): void;
}

const compiled = new WebAssembly.Module(
  readFileSync(new URL('../../../../assets/dots/dots.wasm', import.meta.url)),
);

export const pageBytes = 65_536;

/** Vectors lie in chunks of so many rows. */
export const chunkRows = 32;
/** Sums over 4,096 dimensions stay below 2^31 with 12-bit queries. */
export const dimensionsMax = 4_096;

/** What lies where in the memory: the query, dot products of single rows, then the chunks. */
export const queryOffset = 0;
export const outputOffset = dimensionsMax * 2;
export const chunksOffset = outputOffset + 256;

/** A row is padded to a multiple of 16 bytes. */
export const strideOf = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

/** Of the dot products of a chunk, as 32-bit floats. */
export const productBytes = chunkRows * 4;

/** Up to 4 GB, of which only what it has grown to is used. */
export const createDotMemory = (): SharedWebAssemblyMemory =>
  new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });

/** The program with a memory that other threads may use, too. */
export const instantiateDots = (memory: SharedWebAssemblyMemory): DotProgram =>
  new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as DotProgram;

/** What the dot products of a list of chunks are computed with. */
export interface DotProductTask {
  readonly stride: number;
  /** Where those of the first chunk go; the others follow. */
  readonly products: number;
}

/** Computes the dot products of a chunk's rows with the query. */
export const fillProducts = (
  program: DotProgram,
  { stride, products }: DotProductTask,
  chunk: number,
  place: number,
): void => program.dots(queryOffset, chunk, products + place * productBytes, chunkRows, stride);
