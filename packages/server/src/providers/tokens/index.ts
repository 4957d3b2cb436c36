/** Counts tokens as language models do. */
export interface Tokenizer {
  /** Exact, or a little high for a text with runs that no language has. */
  count(text: string): number;
}

/** Content may say `<|endoftext|>`: to us it is text like any other. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * A run of letters, of signs (with line ends in it) or of white space is one piece to the
 * tokenizer, and its time grows with the square of the piece: 100,000 letters took 7 s. Such a
 * text is counted in parts.
 */
const longRun = /[\p{L}\p{M}]{512}|(?:[^\s\p{L}\p{N}]|[\r\n]){512}|\s{512}/u;
const partCharacters = 256;

/** o200k, as GPT-4o and later count. Its tables take some 70 MB: load it when it is needed. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return createChunkedTokenizer((text) => countTokens(text, asText));
}

/** Hands no run on that would take long. */
export function createChunkedTokenizer(count: (text: string) => number): Tokenizer {
  return {
    count(text) {
      if (!longRun.test(text)) return count(text);
      let total = 0;
      for (let from = 0; from < text.length; from += partCharacters) {
        // A seam may keep two parts from sharing a token, or make one more: counted as one.
        total += count(text.slice(from, from + partCharacters)) + 1;
      }
      return total;
    },
  };
}
