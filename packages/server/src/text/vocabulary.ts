import { readFileSync } from 'node:fs';

const file = new URL('../../assets/vectors/static-en-192.words.txt', import.meta.url);
let words: ReadonlySet<string> | undefined;

/** Whether a word in small letters is one of the 79,360 most frequent English ones. */
export function isEnglishWord(word: string): boolean {
  words ??= new Set(readFileSync(file, 'utf8').split('\n'));
  return words.has(word);
}
