import { readFile } from 'node:fs/promises';
import { createRandom } from './random.ts';

const wordList = new URL('../packages/text/assets/words.txt', import.meta.url);
const vocabularySize = 20_000;
/** Zipf–Mandelbrot: the offset keeps the commonest word at about 6 %, as in English. */
const rankOffset = 0.6;
const wordsMin = 18;
const wordsMax = 32;
const queryWordsMin = 3;
const queryWordsMax = 8;

export interface TextGenerator {
  /** A sentence of 18 to 32 words, 25 in the mean; no two are alike in practice. */
  memory(): string;
  /** 3 to 8 words of a text, in its order. */
  query(of: string): string;
  /** An integer in [0, below). */
  integerBelow(below: number): number;
}

/** English words, the commonest first. */
export async function readVocabulary(): Promise<string[]> {
  const words = (await readFile(wordList, 'utf8')).split('\n');
  return words.filter((word) => /^[a-z]+$/.test(word)).slice(0, vocabularySize);
}

/** The same seed and vocabulary give the same texts in the same order, on every machine. */
export function createTextGenerator(vocabulary: readonly string[], seed: number): TextGenerator {
  const random = createRandom(seed);
  const reach = cumulativeShares(vocabulary.length);
  const pick = (below: number): number => Math.floor(random() * below);
  const between = (min: number, max: number): number => min + pick(max - min + 1);
  const word = (): string => vocabulary[lowerBound(reach, random())] ?? '';
  return {
    integerBelow: pick,
    memory() {
      const words = Array.from({ length: between(wordsMin, wordsMax) }, word);
      const [first = '', ...rest] = words;
      return `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')}.`;
    },
    query(of) {
      const words = of.toLowerCase().match(/[a-z]+/g) ?? [];
      const wanted = between(queryWordsMin, queryWordsMax);
      const places = new Set<number>();
      while (places.size < Math.min(wanted, words.length)) places.add(pick(words.length));
      return [...places]
        .sort((a, b) => a - b)
        .map((place) => words[place])
        .join(' ');
    },
  };
}

/** Share of all words that the ranks up to each have together. */
function cumulativeShares(size: number): Float64Array {
  const reach = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1 + rankOffset);
    reach[rank] = sum;
  }
  return reach.map((upTo) => upTo / sum);
}

function lowerBound(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 1) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
