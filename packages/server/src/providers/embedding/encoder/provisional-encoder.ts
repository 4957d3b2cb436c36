import { readFile } from 'node:fs/promises';
import type { Embedder } from '../embedding.ts';
import { loadStaticEmbedder } from '../static.ts';
import { toUnitVector } from '../unit-vector.ts';
import type { MatrixProgram } from './matrix-program.ts';
import { readMatrixProgram } from './weights.ts';

/** Written by training/encoder/fit-provisional.ts: a row per input, 32-bit floats. */
const mapFile = new URL('../../../../assets/encoder/provisional.bin', import.meta.url);
const pageBytes = 65_536;

/**
 * Approximates the vectors of the sentence encoder by a linear map of word vectors, learnt from the
 * training texts. Takes a tenth of a millisecond for a short text.
 */
export class ProvisionalEncoder {
  readonly #words: Embedder;
  readonly #mixRows: () => void;
  /** A word vector, and the constant 1; in the memory of the program, as what follows. */
  readonly #inputs: Float32Array;
  readonly #outputs: Float32Array;

  /**
   * @param map one row for each dimension of the word vectors, and one for the constant
   * @param dimensions a multiple of 16
   */
  constructor(words: Embedder, map: Float32Array, dimensions: number, program: Uint8Array) {
    const rows = words.dimensions + 1;
    if (map.length !== rows * dimensions) throw new RangeError(`the map has ${map.length} values`);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program));
    const { memory, mix_rows: mixRows } = exports as unknown as MatrixProgram;
    const outputsAt = map.byteLength;
    const inputsAt = outputsAt + dimensions * 4;
    memory.grow(Math.ceil((inputsAt + rows * 4) / pageBytes));
    new Float32Array(memory.buffer).set(map);
    this.#words = words;
    this.#inputs = new Float32Array(memory.buffer, inputsAt, rows);
    this.#inputs[words.dimensions] = 1;
    this.#outputs = new Float32Array(memory.buffer, outputsAt, dimensions);
    this.#mixRows = () => mixRows(inputsAt, 0, outputsAt, rows, dimensions, dimensions);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = await this.#words.embed(texts, 'document');
    return vectors.map((vector) => this.#mapVector(vector));
  }

  #mapVector(from: Float32Array): Float32Array {
    this.#inputs.set(from);
    this.#mixRows();
    return toUnitVector(this.#outputs.slice());
  }
}

/** Loads the shipped word vectors and the map. */
export async function createProvisionalEncoder(dimensions: number): Promise<ProvisionalEncoder> {
  const [words, bytes, program] = await Promise.all([
    loadStaticEmbedder(),
    readFile(mapFile),
    readMatrixProgram(),
  ]);
  const map = new Float32Array(new Uint8Array(bytes).buffer);
  return new ProvisionalEncoder(words, map, dimensions, program);
}
