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
  text.add(countWords(words));
  return text.vector(mean, fallback);
}

/** How often each word occurs, in the order of their first places. */
export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
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

  /** @param counts words with the number of times that they occur */
  add(counts: Iterable<readonly [word: string, count: number]>): void {
    for (const [word, count] of counts) this.#addWord(word, count);
  }

  /** See `textVector`. Do not add words after this call. */
  vector(mean: Float32Array, fallback: string): Float32Array {
    const sum = this.#sum;
    if (isZero(sum)) addCharacterNgramVector(sum, fallback.slice(0, LONGEST_HASHED), 1);
    toUnitVector(sum);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) - (mean[i] as number);
    return toUnitVector(sum);
  }

  #addWord(word: string, count: number): void {
    const [sum, vectors] = [this.#sum, this.#vectors];
    const index = vectors.indexOf(word);
    if (index !== undefined) {
      vectors.addTo(sum, index, this.#weights.known(word, index) * count);
      return;
    }
    const weight = this.#weights.unknown(word) * count;
    const found = findSubstitutesForUnknownWord(vectors, word);
    for (const relative of found) {
      const share = (weight * relative.factor) / found.length;
      vectors.addTo(sum, relative.index, share);
    }
    if (found.length === 0)
      addCharacterNgramVector(sum, word.slice(0, LONGEST_HASHED), weight * LETTERS_FACTOR);
  }
}

function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0);
}
