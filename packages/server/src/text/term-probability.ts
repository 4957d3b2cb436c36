import { readFileSync } from 'node:fs';
import { isStopWord, stem } from './stem.ts';

const file = new URL('../../assets/vectors/static-en-192.words.txt', import.meta.url);
/** Rarer words do not differ by anything that shows in a few hundred texts. */
const wordsMax = 5_000;
/** H_n = ln n + Euler's constant, of the 79,360 words of the file. */
const harmonic = Math.log(79_360) + 0.5772;
/** So long is a text whose chance to hold a word is told. */
const textWords = 30;

let chances: ReadonlyMap<string, number> | undefined;

/**
 * The chance that an English text of 30 words holds a term, before anything is known of an
 * account: words are as frequent as Zipf's law has it for their rank, p = 1/((rank + 1)·H_n),
 * and a stem is as frequent as its words together. Unknown terms are as rare as the rarest.
 */
export function termProbability(term: string): number {
  chances ??= readChances();
  return chances.get(term) ?? toProbability(1 / (wordsMax * harmonic));
}

function readChances(): ReadonlyMap<string, number> {
  const words = readFileSync(file, 'utf8').split('\n', wordsMax);
  const frequencies = new Map<string, number>();
  for (const [rank, word] of words.entries()) {
    if (isStopWord(word)) continue;
    const term = stem(word);
    frequencies.set(term, (frequencies.get(term) ?? 0) + 1 / ((rank + 1) * harmonic));
  }
  return new Map([...frequencies].map(([term, frequency]) => [term, toProbability(frequency)]));
}

const toProbability = (frequency: number): number => 1 - Math.exp(-textWords * frequency);
