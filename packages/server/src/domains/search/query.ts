import { fold, termsOf } from '../index/index.ts';

/** A search text taken apart. */
export interface ParsedQuery {
  /** What is embedded: the text without exclusions and quotes. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Must occur as they stand, white space and letter case aside. */
  readonly phrases: readonly string[];
  /** Terms of the phrases: what holds a phrase holds these. */
  readonly required: readonly string[];
  /** Per excluded expression all of its terms. */
  readonly excluded: readonly (readonly string[])[];
}

const expression = /(^|\s)(-?)"([^"]+)"|(^|\s)-(?=[\p{L}\p{N}_])(\S+)/gu;

const all = (text: string): string[] => {
  const { words, compounds } = termsOf(text);
  return [...words, ...compounds];
};

/** `"…"` is a phrase, `-word` and `-"…"` exclude; anything else is plain text. */
export function parseQuery(q: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[][] = [];
  const text = q.replaceAll(expression, (_whole, before, minus, phrase, gap, word) => {
    if (phrase === undefined) {
      excluded.push(all(word));
      return gap;
    }
    if (minus === '-') {
      excluded.push(all(phrase));
      return before;
    }
    const plain = String(phrase).replaceAll(/\s+/g, ' ').trim();
    if (plain !== '') phrases.push(plain);
    return `${before}${phrase} `;
  });
  return {
    text: text.trim(),
    terms: all(text),
    phrases,
    required: phrases.flatMap((phrase) => termsOf(fold(phrase)).words),
    excluded: excluded.filter((terms) => terms.length > 0),
  };
}
