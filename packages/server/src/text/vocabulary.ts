import { readFileSync } from 'node:fs';

const file = new URL('../../assets/vectors/static-en-192.words.txt', import.meta.url);
let ranks: ReadonlyMap<string, number> | undefined;

/** Whether a word in small letters is one of the 79,360 most frequent English ones. */
export const isEnglishWord = (word: string): boolean => rankOf(word) !== null;

/** How many English words are more frequent than a word in small letters; null past 79,360. */
export function rankOf(word: string): number | null {
  ranks ??= new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((known, rank) => [known, rank]),
  );
  return ranks.get(word) ?? null;
}
