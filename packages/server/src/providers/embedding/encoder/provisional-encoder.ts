import { readFile } from 'node:fs/promises';
import type { Embedder } from '../embedding.ts';
import { createStaticEmbedder } from '../static.ts';
import { toUnitVector } from '../unit-vector.ts';

/** Written by training/encoder/fit-provisional.ts: a row per input, 32-bit floats. */
const mapFile = new URL('../../../../assets/encoder/provisional.bin', import.meta.url);

/**
 * Approximates the vectors of the sentence encoder by a linear map of word vectors, learnt from the
 * training texts. Takes a tenth of a millisecond for a short text.
 */
export class ProvisionalEncoder {
  readonly #words: Embedder;
  /** One row for each dimension of the word vectors, and one for the constant 1. */
  readonly #map: Float32Array;
  readonly #dimensions: number;

  constructor(words: Embedder, map: Float32Array, dimensions: number) {
    if (map.length !== (words.dimensions + 1) * dimensions)
      throw new RangeError(`the map has ${map.length} values`);
    this.#words = words;
    this.#map = map;
    this.#dimensions = dimensions;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = await this.#words.embed(texts, 'document');
    return vectors.map((vector) => this.#mapVector(vector));
  }

  #mapVector(from: Float32Array): Float32Array {
    const size = this.#dimensions;
    const to = this.#map.slice(from.length * size);
    for (let i = 0; i < from.length; i += 1) {
      const value = from[i] as number;
      const row = i * size;
      for (let j = 0; j < size; j += 1) {
        to[j] = (to[j] as number) + value * (this.#map[row + j] as number);
      }
    }
    return toUnitVector(to);
  }
}

/** Loads the shipped word vectors and the map. */
export async function createProvisionalEncoder(dimensions: number): Promise<ProvisionalEncoder> {
  const [words, bytes] = await Promise.all([createStaticEmbedder(), readFile(mapFile)]);
  const map = new Float32Array(new Uint8Array(bytes).buffer);
  return new ProvisionalEncoder(words, map, dimensions);
}
