import { extractTerms, normalizeText } from './terms.ts';

/** A search text taken apart. */
export interface Keywords {
  /** The text without exclusions and quotes. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Must occur as they stand, white space and letter case aside. */
  readonly phrases: readonly string[];
  /** Per excluded word all of its terms. */
  readonly excluded: readonly (readonly string[])[];
  /** Must not occur as they stand. */
  readonly excludedPhrases: readonly string[];
}

/** Says how well a text matches; 0: not at all. */
export type KeywordScorer = (text: string) => number;

/** Fewer characters stand in almost every text. */
const partCharactersMin = 2;

/**
 * Weighs short texts by the keywords: the number of terms that a text holds, and one more where
 * all of what is asked stands in it as it was typed, be it the beginning of a word.
 */
export function createKeywordScorer(keywords: Keywords): KeywordScorer {
  const terms = [...new Set(keywords.terms)];
  const whole = normalizeText(keywords.text.trim());
  const isPart = [...whole].length >= partCharactersMin;
  const phrases = keywords.phrases.map(normalizeText);
  const banned = keywords.excludedPhrases.map(normalizeText);
  return (text) => {
    const { words, compounds } = extractTerms(text);
    const held = new Set([...words, ...compounds]);
    const plain = normalizeText(text);
    if (phrases.some((phrase) => !plain.includes(phrase))) return 0;
    if (banned.some((phrase) => plain.includes(phrase))) return 0;
    if (keywords.excluded.some((some) => some.every((term) => held.has(term)))) return 0;
    const asTyped = phrases.length > 0 || (isPart && plain.includes(whole));
    return terms.filter((term) => held.has(term)).length + (asTyped ? 1 : 0);
  };
}
