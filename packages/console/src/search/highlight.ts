export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A word, without its punctuation, in every script. */
const wordPattern = /[\p{L}\p{N}]+/gu;
/** Endings that stemming removes: `batteries` matches `batteri`. */
const endingCharactersMax = 4;

/**
 * Splits a text at the words that match. The terms are stems, so that a word matches if it begins
 * with a term and is at most four characters longer.
 */
export function highlightTerms(text: string, terms: readonly string[]): TextPart[] {
  const stems = terms
    .map((term) => term.toLowerCase())
    .filter((term) => term !== '')
    // English stemming turns a final y into i: `battery` matches `batteri`.
    .flatMap((term) => (term.endsWith('i') ? [term, `${term.slice(0, -1)}y`] : [term]));
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const lower = word.toLowerCase();
    const isMatch = stems.some(
      (stem) => lower.startsWith(stem) && lower.length - stem.length <= endingCharactersMax,
    );
    if (!isMatch) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: word, isMatch: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
