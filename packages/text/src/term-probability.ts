import { readFileSync } from 'node:fs';

/**
 * The stems of the most frequent words, most frequent first, one a line: empty for stop words. To
 * compute them would take every thread 100 ms. A test compares them.
 */
const file = new URL('../assets/stems.txt', import.meta.url);
/** Differences between rarer words have no effect in a few hundred texts. */
export const frequentWordsMax = 5_000;
/** H_n = ln n + Euler's constant, for the 79,360 words of the file. */
const harmonic = Math.log(79_360) + 0.5772;
/** Length in words of the text to which the probability refers. */
const textWords = 30;

const toProbability = (frequency: number): number => 1 - Math.exp(-textWords * frequency);

/** The probability of terms that are not among the known ones. */
export const unknownTermProbability = toProbability(1 / (frequentWordsMax * harmonic));

let probabilities: ReadonlyMap<string, number> | undefined;

/**
 * The prior probability that an English text of 30 words contains a term: word frequencies follow
 * Zipf's law for their rank, p = 1/((rank + 1)·H_n), and the frequency of a stem is the sum of its
 * words. Unknown terms are as rare as the rarest known one.
 */
export function termProbability(term: string): number {
  probabilities ??= readProbabilities();
  return probabilities.get(term) ?? unknownTermProbability;
}

function readProbabilities(): ReadonlyMap<string, number> {
  const stems = readFileSync(file, 'utf8').split('\n', frequentWordsMax);
  const frequencies = new Map<string, number>();
  for (const [rank, term] of stems.entries()) {
    if (term === '') continue;
    frequencies.set(term, (frequencies.get(term) ?? 0) + 1 / ((rank + 1) * harmonic));
  }
  return new Map([...frequencies].map(([term, frequency]) => [term, toProbability(frequency)]));
}
