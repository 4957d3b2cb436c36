import type { Terms } from '../account/terms.ts';

/** Shorter words have too many neighbours to be taken for misspelt. */
const lengthMin = 4;
const alternativesMax = 3;

/**
 * Terms of the account within one edit (a letter too many, too few, another one, or two
 * neighbours exchanged) of a term that nothing holds, the most frequent first.
 */
export function likeTerms(terms: Terms, term: string): string[] {
  if (term.length < lengthMin || /\p{N}/u.test(term)) return [];
  const found: string[] = [];
  for (const length of [term.length, term.length - 1, term.length + 1]) {
    for (const other of terms.ofLength(length)) {
      if (isOneEdit(term, other) && (terms.find(other)?.documents ?? 0) > 0) found.push(other);
    }
  }
  const holders = (other: string): number => terms.find(other)?.documents ?? 0;
  return found.sort((a, b) => holders(b) - holders(a)).slice(0, alternativesMax);
}

/** Whether two different words are one edit apart (Damerau 1964). */
export function isOneEdit(a: string, b: string): boolean {
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
