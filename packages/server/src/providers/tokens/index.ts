import { BytePairCounter, readTokenRanks } from './byte-pairs.ts';

/** Counts tokens with the tokenizer of language models. */
export interface Tokenizer {
  /** Exact, or slightly too high for texts with unnaturally long runs. */
  count(text: string): number;
}

/**
 * The tokenizer treats a run of letters, of symbols (including line breaks) or of white space as
 * one piece, and a piece of a million characters takes up to a second. Such a text is counted in
 * parts, which are cached.
 */
const longRun = /[\p{L}\p{M}]{512}|(?:[^\s\p{L}\p{N}]|[\r\n]){512}|\s{512}/u;
const partCharacters = 256;

/**
 * o200k, the encoding of GPT-4o and later. Marks such as `<|endoftext|>` are plain text. Its tables
 * need about 45 MB: load it on demand.
 */
export async function loadTokenizer(): Promise<Tokenizer> {
  const counter = new BytePairCounter(await readTokenRanks());
  return createChunkedTokenizer((text) => counter.count(text));
}

/** Splits texts with runs that would take long. */
export function createChunkedTokenizer(count: (text: string) => number): Tokenizer {
  return {
    count(text) {
      if (!longRun.test(text)) return count(text);
      let total = 0;
      for (let from = 0; from < text.length; from += partCharacters) {
        // A split may prevent a shared token or add one: counted as one.
        total += count(text.slice(from, from + partCharacters)) + 1;
      }
      return total;
    },
  };
}
