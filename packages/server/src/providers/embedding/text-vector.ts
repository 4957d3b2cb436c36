import type { StaticVectors } from './static-vectors.ts';
import { toUnitVector } from './unit-vector.ts';
import { addCharacterNgramVector, findSubstitutesForUnknownWord } from './unknown-words.ts';

/** Letters carry little meaning: this suffices to match the same unknown word. */
const LETTERS_FACTOR = 0.5;
const LONGEST_HASHED = 64;

export interface WordWeights {
  /** Weight of a word with a vector; `index` is its background rank. */
  known(word: string, index: number): number;
  /** Weight of a word without a vector. */
  unknown(word: string): number;
}

/** Weights from the shipped ranks, used if an account has no word counts. */
export function backgroundWordWeights(vectors: StaticVectors): WordWeights {
  const rarest = vectors.weight(vectors.size - 1);
  return { known: (_, index) => vectors.weight(index), unknown: () => rarest };
}

/**
 * e = unit(unit(Σ w·v) − mean), v the unit vectors of the words (Arora et al. 2017, "A simple
 * but tough-to-beat baseline for sentence embeddings", with the mean in place of the first
 * principal component). Pure: equal words, weights and mean give an equal vector.
 * @param words lower case, as `textWords` returns them; if empty, `fallback` determines the vector
 * @param mean the vector to subtract, `vectors.dimensions` floats
 * @param fallback any string that distinguishes texts without words
 * @returns a unit vector of `vectors.dimensions` floats
 */
export function textVector(
  vectors: StaticVectors,
  words: readonly string[],
  weights: WordWeights,
  mean: Float32Array,
  fallback = '',
): Float32Array {
  const text = new TextVectorBuilder(vectors, weights);
  text.add(words);
  return text.vector(mean, fallback);
}

/** Sums the words of a text, which may be added in parts. */
export class TextVectorBuilder {
  readonly #vectors: StaticVectors;
  readonly #weights: WordWeights;
  readonly #sum: Float32Array;

  constructor(vectors: StaticVectors, weights: WordWeights) {
    this.#vectors = vectors;
    this.#weights = weights;
    this.#sum = new Float32Array(vectors.dimensions);
  }

  add(words: readonly string[]): void {
    for (const word of words) addWord(this.#sum, this.#vectors, word, this.#weights);
  }

  /** See `textVector`. Do not add words after this call. */
  vector(mean: Float32Array, fallback: string): Float32Array {
    const sum = this.#sum;
    if (isZero(sum)) addCharacterNgramVector(sum, fallback.slice(0, LONGEST_HASHED), 1);
    toUnitVector(sum);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) - (mean[i] as number);
    return toUnitVector(sum);
  }
}

function addWord(
  sum: Float32Array,
  vectors: StaticVectors,
  word: string,
  weights: WordWeights,
): void {
  const index = vectors.indexOf(word);
  if (index !== undefined) {
    vectors.addTo(sum, index, weights.known(word, index));
    return;
  }
  const weight = weights.unknown(word);
  const found = findSubstitutesForUnknownWord(vectors, word);
  for (const relative of found) {
    const share = (weight * relative.factor) / found.length;
    vectors.addTo(sum, relative.index, share);
  }
  if (found.length === 0)
    addCharacterNgramVector(sum, word.slice(0, LONGEST_HASHED), weight * LETTERS_FACTOR);
}

function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0);
}
