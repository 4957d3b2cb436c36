import { readFileSync } from 'node:fs';

const file = new URL('../../assets/vectors/static-en-192.words.txt', import.meta.url);
let ranks: ReadonlyMap<string, number> | undefined;

/** Whether a word in small letters is one of the 79,360 most frequent English ones. */
export const isEnglishWord = (word: string): boolean => getWordRank(word) !== null;

/** How many English words are more frequent than a word in small letters; null past 79,360. */
export const getWordRank = (word: string): number | null => getEnglishWordRanks().get(word) ?? null;

/** The words with how many are more frequent: one map for all who ask, of some megabytes. */
export function getEnglishWordRanks(): ReadonlyMap<string, number> {
  ranks ??= rankByPosition(readFileSync(file, 'utf8').trimEnd().split('\n'));
  return ranks;
}

/** Words by their place, the most frequent first. */
export const rankByPosition = (words: readonly string[]): ReadonlyMap<string, number> =>
  new Map(words.map((word, rank) => [word, rank]));
