import { isEnglishWord, stem } from '@mneme/text';
import type { Terms } from '../account/terms.ts';

/** Shorter words have too many neighbours to be treated as misspelt. */
const lengthMin = 4;
const alternativesMax = 4;

/**
 * Terms of the account within one edit (one letter inserted, deleted or replaced, or two neighbours
 * swapped) of a term that no document contains, the most frequent first. None for an English word:
 * it is not misspelt, the account just does not mention it.
 * @param text where the term was written: a stem does not show which words are similar
 * @param holders number of visible documents that contain a term
 */
export function fuzzyTerms(
  terms: Terms,
  term: string,
  text: string,
  holders: (term: string) => number,
): string[] {
  if (term.length < lengthMin || /\p{N}/u.test(term)) return [];
  const words = new Set([...text.toLowerCase().matchAll(latinWord)].map(([word]) => word));
  const written = [...words].filter((word) => stem(word) === term);
  if (written.some(isEnglishWord)) return [];
  const matches = new Set<string>();
  for (const length of [term.length, term.length - 1, term.length + 1]) {
    for (const other of terms.ofLength(length)) {
      if (isOneEdit(term, other) && holders(other) > 0) matches.add(other);
    }
  }
  for (const word of written) {
    for (const edited of editsOf(word)) {
      const other = stem(edited);
      if (holders(other) > 0) matches.add(other);
    }
  }
  return [...matches].sort((a, b) => holders(b) - holders(a)).slice(0, alternativesMax);
}

const latinWord = /[a-z]{4,24}/g;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Every word one edit away, about 54 for each letter (Norvig 2007). */
function* editsOf(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') yield before + after.slice(1);
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`;
    for (const letter of letters) {
      yield before + letter + after;
      if (after !== '') yield before + letter + after.slice(1);
    }
  }
}

/** Whether two different words are one edit apart (Damerau 1964). */
function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  const least = Math.min(a.length, b.length);
  let same = 0;
  while (same < least && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  const [restA, restB] = [a.length - same, b.length - same];
  if (restA > restB) return a.endsWith(b.slice(same));
  if (restB > restA) return b.endsWith(a.slice(same));
  if (a.slice(same + 1) === b.slice(same + 1)) return true;
  return (
    a[same] === b[same + 1] && a[same + 1] === b[same] && a.slice(same + 2) === b.slice(same + 2)
  );
}
