import { readFileSync } from 'node:fs';

const file = new URL('../assets/words.txt', import.meta.url);
let ranks: ReadonlyMap<string, number> | undefined;

/** Whether a lower-case word is one of the 79,360 most frequent English words. */
export const isEnglishWord = (word: string): boolean => getWordRank(word) !== null;

/** The number of more frequent English words for a lower-case word; null if it is unknown. */
export const getWordRank = (word: string): number | null => getEnglishWordRanks().get(word) ?? null;

/** The frequency ranks of all words: a shared map of some megabytes. */
export function getEnglishWordRanks(): ReadonlyMap<string, number> {
  ranks ??= rankByPosition(readFileSync(file, 'utf8').trimEnd().split('\n'));
  return ranks;
}

/** Ranks by position, the most frequent word first. */
export const rankByPosition = (words: readonly string[]): ReadonlyMap<string, number> =>
  new Map(words.map((word, rank) => [word, rank]));
