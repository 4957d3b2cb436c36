import { extractTerms, normalizeText } from './terms.ts';

/** A parsed search text. */
export interface KeywordQuery {
  /** The text without exclusions and quotes. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Terms that are single characters of an identifier: no match by themselves. */
  readonly fragments: readonly string[];
  /** Must occur verbatim, except for white space and letter case. */
  readonly requiredPhrases: readonly string[];
  /** In quotes, but not required: texts that contain them are preferred. */
  readonly preferredPhrases: readonly string[];
  /** The terms of each excluded word. */
  readonly excluded: readonly (readonly string[])[];
  /** Must not occur verbatim. */
  readonly excludedPhrases: readonly string[];
}

/** Returns how well a text matches; 0: no match. */
export type KeywordScorer = (text: string) => number;

/** Shorter strings occur in almost every text. */
const partCharactersMin = 2;

/**
 * Scores short texts by keywords: the number of terms that a text contains, plus one for each
 * preferred phrase in it and one if it contains the whole query as typed, for instance as the
 * beginning of a word.
 */
export function createKeywordScorer(keywords: KeywordQuery): KeywordScorer {
  const terms = [...new Set(keywords.terms)];
  const whole = normalizeText(keywords.text.trim());
  const isPart = [...whole].length >= partCharactersMin;
  const fragments = new Set(keywords.fragments);
  const phrases = keywords.requiredPhrases.map(normalizeText);
  const preferred = keywords.preferredPhrases.map(normalizeText);
  const excludedPhrases = keywords.excludedPhrases.map(normalizeText);
  return (text) => {
    const { words, compounds } = extractTerms(text);
    const textTerms = new Set([...words, ...compounds]);
    const plain = normalizeText(text);
    if (phrases.some((phrase) => !plain.includes(phrase))) return 0;
    if (excludedPhrases.some((phrase) => plain.includes(phrase))) return 0;
    if (keywords.excluded.some((some) => some.every((term) => textTerms.has(term)))) return 0;
    const asTyped = phrases.length > 0 || (isPart && plain.includes(whole));
    const matching = terms.filter((term) => textTerms.has(term));
    const isMatch = asTyped || matching.some((term) => !fragments.has(term));
    const verbatim = preferred.filter((phrase) => plain.includes(phrase)).length;
    return isMatch || verbatim > 0 ? matching.length + verbatim + (asTyped ? 1 : 0) : 0;
  };
}
